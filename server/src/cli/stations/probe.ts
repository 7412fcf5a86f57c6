import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import { keyOfAddress } from '../../core/cleaning/clean-address.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Verdict } from '../../lib/failure-code.ts';
import { guideId, parseGuideId } from '../../lib/guide-id.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';
import type { StreamFacts } from '../../storage/catalog/streams/stream-checks.ts';
import { findStreamByAddress, listStreamsOfStation } from '../../storage/catalog/streams/streams.ts';
import { refuseOldSchema } from '../../storage/db/migrate.ts';
import { probeAddress, type ProbedNow, probeNow } from '../../workers/probe/probe-now.ts';
import { FleetHostLimiter } from '../../workers/runner/fleet-host-limiter.ts';
import { type Command, UsageError } from '../command.ts';
import { plain } from '../terminal.ts';

/** Per station, best first. */
const MAX_STREAMS = 20;

export const probeCommand: Command = {
  usage: ['probe s123|e123|ADDRESS'],
  summary: 'probe a station, a stream or an address now, and show each step',
  async run(args, config) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
    const [asked, ...others] = positionals;
    if (asked === undefined)
      throw new UsageError('give what to probe: probe s123, probe e123 or probe ADDRESS');
    if (others.length > 0) throw new UsageError(`probe one at a time; '${others[0]}' is too much`);
    if (!isMeant(asked))
      throw new UsageError(`'${asked}' is not a station (s123), a stream (e123) or an address (http://…)`);
    await using opened = new AsyncDisposableStack();
    const { pool } = opened.use(openContext(config, { name: 'probe' }));
    await refuseOldSchema(pool);
    const hostLimiter = opened.use(new FleetHostLimiter(config.databaseUrl));
    const ids = await streamsMeant(pool, asked);
    if (ids === undefined) {
      const fetcher = new SafeFetcher({ hostLimiter, policy: operatorsChoice });
      console.log(writeProbed('not in the directory', await probeAddress(fetcher, asked)));
      return;
    }
    const deps = { pool, fetcher: new SafeFetcher({ hostLimiter }), clock: systemClock };
    for (const id of ids) {
      const probed = await probeNow(deps, id);
      if (!probed) throw new Error(`there is no stream ${guideId('e', id)}`);
      console.log(writeProbed(guideId('e', id), probed));
    }
  },
};

const isMeant = (asked: string): boolean =>
  /^https?:\/\//i.test(asked) || ['s', 'e'].includes(parseGuideId(asked)?.letter ?? '');

/** Ids of the streams to probe; undefined for an address that is not in the directory. */
async function streamsMeant(pool: Pool, asked: string): Promise<number[] | undefined> {
  const id = parseGuideId(asked);
  if (id?.letter === 'e') return [id.number];
  if (id?.letter === 's') return streamsOfStation(pool, id.number);
  const known = await findStreamByAddress(pool, keyOfAddress(asked), asked);
  return known && [known.id];
}

async function streamsOfStation(pool: Pool, stationId: number): Promise<number[]> {
  const streams = await listStreamsOfStation(pool, stationId);
  if (streams.length === 0)
    throw new Error(
      `${guideId('s', stationId)} has no streams, or does not exist; Search.ashx?query=NAME finds a station's id`,
    );
  return streams.slice(0, MAX_STREAMS).map(({ id }) => id);
}

const MEANINGS: Readonly<Record<Verdict, string>> = {
  plays: 'it plays',
  dead: 'no answer, or no audio',
  refused: 'it refuses us, or this country; others may hear it',
  geo: 'it is limited to some countries',
  tls: 'its certificate or TLS is broken',
  codec: 'it sends a format that no radio plays',
  hls: 'its HLS playlist leads to no audio',
  busy: 'it is full, or was contacted too often',
};

/** The steps, one per line, and the verdict. */
function writeProbed(name: string, probed: ProbedNow): string {
  const { address, steps, verdict, facts, undecided, dueInSeconds } = probed;
  const lines = steps.map(
    ({ what, ms, address: at, detail }) =>
      `  ${what.padEnd(9)}${`${ms} ms`.padStart(9)}  ${detail}${at === undefined || at === address ? '' : ` (${at})`}`,
  );
  const result =
    undecided === undefined
      ? `${verdict}: ${MEANINGS[verdict]}${writeFacts(facts)}`
      : `undecided: ${undecided}; the problem may be on this side, so it does not count against the stream`;
  const next = dueInSeconds === undefined ? '' : `; next probe in ${writeSeconds(dueInSeconds)}`;
  return [`${name}  ${address}`, ...lines, `  => ${result}${next}`].map(plain).join('\n');
}

function writeFacts(facts: StreamFacts | undefined): string {
  if (!facts) return '';
  const { format, codec, bitrate, playlist, resolvedAddress, redirects } = facts;
  const parts = [
    `${format} (${codec})`,
    bitrate !== undefined && `${bitrate} kbit/s`,
    playlist !== undefined && `through a playlist (${playlist}) to ${resolvedAddress}`,
    redirects !== undefined && redirects > 0 && `${redirects} ${redirects === 1 ? 'redirect' : 'redirects'}`,
  ];
  return `, ${parts.filter((part) => typeof part === 'string').join(', ')}`;
}

const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

function writeSeconds(seconds: number): string {
  const [unit, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 's'];
  return `${Math.round(seconds / unit)} ${name}`;
}
