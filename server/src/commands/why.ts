import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { findStation } from '../catalog/stations.ts';
import { listFindings } from '../catalog/stream-findings.ts';
import { openContext } from '../context.ts';
import { type ChosenProfile, UNKNOWN } from '../devices/choose-profile.ts';
import { findProfile } from '../devices/profiles.ts';
import { readStreams } from '../directory/read-streams.ts';
import { SharedTexts } from '../directory/shared-values.ts';
import { guideId, numberOf } from '../lib/guide-id.ts';
import { parseFormats } from '../lib/stream-format.ts';
import { chooseStreams } from '../tune/choose-streams.ts';
import { explain } from '../tune/explain.ts';
import { playerOf } from '../tune/player.ts';
import { type Command, UsageError } from './command.ts';
import { readDevice } from './partner-values.ts';
import { writeWhy } from './why-text.ts';

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
  summary: 'which streams of a station a device is given, and why not the others',
  async run(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const [id = '', ...more] = positionals;
    const stationId = numberOf('s', id);
    if (stationId === undefined) throw new UsageError('say which station: why s123');
    if (more.length > 0) throw new UsageError(`'${more[0]}' is one word too many`);
    const { device, formats = '', https: isSecure = false } = values;
    const question = { device: deviceOf(device), formats, isSecure };
    await using context = openContext(config, { name: 'why' });
    console.log(await answer(context.pool, stationId, question));
  },
};

function deviceOf(given: string | undefined): ChosenProfile {
  if (given === undefined) return UNKNOWN;
  const profile = findProfile(readDevice('--device', given));
  return profile ? { profile, toldBy: 'device' } : UNKNOWN;
}

/** From the database, so that it holds whatever server is asked next. */
async function answer(pool: Pool, stationId: number, question: Question): Promise<string> {
  const { device, formats, isSecure } = question;
  const station = await findStation(pool, stationId);
  const id = guideId('s', stationId);
  if (!station) throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
  const read = await readStreams(pool, stationId - 1, stationId, new SharedTexts());
  const streams = read.get(stationId) ?? [];
  const findings = await listFindings(
    pool,
    streams.map((stream) => stream.id),
    Temporal.Now.instant(),
  );
  const player = playerOf(device.profile, { formats: parseFormats(formats), isSecure, directOnly: false });
  const tuned = { name: station.name, guideId: id, streams };
  const choice = { tuned, device, player, ranking: chooseStreams(streams, player) };
  return writeWhy({ title: `${id} ${station.name}`, isListed: station.listed }, explain(choice, findings));
}
