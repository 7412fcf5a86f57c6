import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import { type ChosenProfile, findProfile, UNKNOWN_DEVICE } from '../../core/devices/profiles.ts';
import { readStreams } from '../../core/directory/snapshot/read-stations.ts';
import { SharedTexts } from '../../core/directory/snapshot/station-draft.ts';
import { chooseStreams } from '../../core/streams/choose-streams.ts';
import { playerOf } from '../../core/streams/player.ts';
import { type RelayReach, withRelayed } from '../../core/streams/relay/relayed.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import { parseFormats } from '../../lib/stream-format.ts';
import type { ExplainedStream, Explanation } from '../../protocols/radiotime/outlines/explain-outlines.ts';
import { explain } from '../../protocols/radiotime/tune/explain.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import type { DayHealth } from '../../storage/catalog/streams/reliability.ts';
import { listFindings } from '../../storage/catalog/streams/stream-checks.ts';
import { type Command, UsageError } from '../command.ts';
import { readDevice } from '../partners/partner-values.ts';
import { inColumns, plain } from '../terminal.ts';

const OPTIONS = {
  device: { type: 'string' },
  formats: { type: 'string' },
  https: { type: 'boolean' },
} as const;

interface Question {
  device: ChosenProfile;
  formats: string;
  isSecure: boolean;
}

export const whyCommand: Command = {
  usage: ['why s123 [--device PROFILE] [--formats mp3,aac] [--https]'],
  summary: 'show which streams of a station a device gets, and why not the others',
  async run(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const [id = '', ...more] = positionals;
    const stationId = numberOf('s', id);
    if (stationId === undefined) throw new UsageError('give the station: why s123');
    if (more.length > 0) throw new UsageError(`'${more[0]}' is unexpected; give one station`);
    const { device, formats = '', https: isSecure = false } = values;
    const question = { device: deviceOf(device), formats, isSecure };
    await using context = openContext(config, { name: 'why' });
    const { relay, relaySiteAddresses, relayConversions } = config;
    const there = { isSecure: relaySiteAddresses.length > 0, converts: relayConversions > 0 };
    const reach = relay === 'off' ? undefined : there;
    console.log(await answer(context.pool, stationId, question, reach));
  },
};

function deviceOf(given: string | undefined): ChosenProfile {
  if (given === undefined) return UNKNOWN_DEVICE;
  const profile = findProfile(readDevice('--device', given));
  return profile ? { profile, source: 'device' } : UNKNOWN_DEVICE;
}

/** From the database, so that it holds for every server. */
async function answer(
  pool: Pool,
  stationId: number,
  question: Question,
  reach: RelayReach | undefined,
): Promise<string> {
  const { device, formats, isSecure } = question;
  const station = await findStationRow(pool, stationId);
  const id = guideId('s', stationId);
  if (!station) throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
  const read = await readStreams(pool, station.id - 1, station.id, new SharedTexts());
  const streams = read.get(station.id) ?? [];
  const findings = await listFindings(
    pool,
    streams.map((stream) => stream.id),
    Temporal.Now.instant(),
  );
  const player = playerOf(device.profile, { formats: parseFormats(formats), isSecure, directOnly: false });
  const tuned = { name: station.name, guideId: id, streams };
  const ranking = chooseStreams(streams, player);
  const isNeverRelayed = station.relay === 'never';
  const order = withRelayed(ranking, player, isNeverRelayed ? undefined : reach);
  const choice = { tuned, device, player, ranking, order };
  const about = { title: `${id} ${station.name}`, isListed: station.listed, isNeverRelayed };
  return writeWhy(about, explain(choice, findings));
}

interface ExplainedStation {
  title: string;
  isListed: boolean;
  isNeverRelayed: boolean;
}

/** For the terminal: the device, then a paragraph for each stream. */
function writeWhy(
  { title, isListed, isNeverRelayed }: ExplainedStation,
  { device, streams }: Explanation,
): string {
  const about = inColumns([
    ['device', `${device.id} (${device.grade}): ${device.name}`],
    ['detected by', device.reason],
    ['plays', device.plays.join(', ')],
    ['TLS', TLS.get(device.tls) ?? device.tls],
    ['playlists', device.playlists.join(', ') || 'none'],
    ['evidence', device.evidence],
  ]);
  const listed = streams.length > 0 ? streams.map(writeStream) : [NOTHING];
  const legend = streams.some(({ health }) => health) ? [LEGEND] : [];
  const notes = [...(isListed ? [] : [UNLISTED]), ...(isNeverRelayed ? [NEVER_RELAYED] : [])];
  return [plain(title), ...notes, about, ...listed, ...legend].join('\n\n');
}

const UNLISTED =
  'It is not listed: a player gets the announcement that there is nothing to hear. If it were listed:';
const NEVER_RELAYED = 'It is not relayed: relay=never was set (longwave station history says by whom).';
const NOTHING = 'It has no listed stream: a player gets the announcement that there is nothing to hear.';

const TLS = new Map([
  ['none', 'no: HTTPS streams are left out'],
  ['old', 'perhaps: plain HTTP comes first'],
  ['modern', 'yes'],
]);

const DAYS: Readonly<Record<DayHealth, string>> = { heard: '+', mixed: '~', silent: '-', unknown: '.' };
const LEGEND = 'days: + heard, ~ heard and silent, - silent, . not known; the last is today (UTC)';

function writeStream(stream: ExplainedStream): string {
  const place = stream.position === undefined ? '-' : `${stream.position}.`;
  const rate = stream.bitrate > 0 ? `${stream.bitrate} kbps ` : '';
  const kind = `${rate}${stream.format?.toUpperCase() ?? 'unknown format'}${stream.codec ? ` (${stream.codec})` : ''}`;
  const heard = stream.verdict ?? 'never probed';
  return [
    `${place.padEnd(3)} ${stream.guideId} ${stream.address}`,
    `    ${kind}, ${heard}, reliability ${Math.round(stream.reliability)}${lastCheck(stream)}`,
    `    ${stream.position === undefined ? `left out (${stream.code}): ` : ''}${stream.reason}`,
    ...writeHealth(stream),
    ...stream.steps.map((step) => `      ${step}`),
  ]
    .map(plain)
    .join('\n');
}

function writeHealth({ health, failedAt, failure, verdict }: ExplainedStream): string[] {
  const days = health ? [`    days ${health.map((day) => DAYS[day]).join('')}`] : [];
  // The steps below already explain the last check.
  const hasOlder = failedAt !== undefined && verdict === 'plays';
  return hasOlder
    ? [...days, `    last silent ${at(failedAt)}: ${failure ?? 'no reason was recorded'}`]
    : days;
}

const at = (time: Temporal.Instant): string => time.toString({ smallestUnit: 'second' });

function lastCheck({ checkedAt, aliveAt }: ExplainedStream): string {
  const checked = checkedAt ? `, checked ${at(checkedAt)}` : '';
  return aliveAt ? `${checked}, last heard ${at(aliveAt)}` : checked;
}
