import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import {
  MOST_KEYS,
  addStationKey,
  keyFingerprint,
  listStationKeys,
  removeStationKey,
} from '../catalog/station-keys.ts';
import { type StationRow, findStation } from '../catalog/stations.ts';
import { openContext } from '../context.ts';
import { guideId, numberOf } from '../lib/guide-id.ts';
import { UsageError, type Command } from './command.ts';
import { writeStationKeys } from './station-text.ts';

const SEEN = 'Servers that run see it within a few seconds.';

export const stationCommand: Command = {
  usage: ['station key ID [--name TEXT]', 'station keys ID', 'station drop-key ID KEY'],
  summary: 'the keys with which broadcasters tell what their stations play',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: 'string' } },
    });
    const [action = '', id = '', which, ...more] = positionals;
    const act = ACTIONS.get(action);
    if (!act) throw new UsageError(`say ${[...ACTIONS.keys()].join(', ')}`);
    const stationId = numberOf('s', id);
    if (stationId === undefined) throw new UsageError(`say which station: station ${action} s123`);
    const extra = action === 'drop-key' ? more[0] : which;
    if (extra !== undefined) throw new UsageError(`'${extra}' is one word too many; put texts in quotes`);
    if (action !== 'key' && values.name !== undefined)
      throw new UsageError(`station ${action} takes no --name`);
    await using context = openContext(config, { name: 'station' });
    const station = await findStation(context.pool, stationId);
    if (!station) throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
    console.log(await act(context.pool, station, action === 'key' ? values.name : which));
  },
};

type Act = (pool: Pool, station: StationRow, text: string | undefined) => Promise<string>;

const ACTIONS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['key', makeKey],
  ['keys', listKeys],
  ['drop-key', dropKey],
]);

const LONGEST_NAME = 60;

async function makeKey(pool: Pool, { id, name }: StationRow, given = 'key'): Promise<string> {
  const keyName = given.trim();
  if (keyName === '' || keyName.length > LONGEST_NAME)
    throw new UsageError(`--name takes 1 to ${LONGEST_NAME} characters`);
  const key = await addStationKey(pool, id, keyName);
  const station = guideId('s', id);
  if (key === undefined)
    throw new Error(`${station} has ${MOST_KEYS} keys; first longwave station drop-key ${station} KEY`);
  return [
    key,
    '',
    `The key of ${station} ${name}. It is shown this once: keep it. ${SEEN}`,
    'docs/broadcasters.md says where it goes.',
  ].join('\n');
}

async function listKeys(pool: Pool, { id }: StationRow): Promise<string> {
  const keys = await listStationKeys(pool, id);
  const station = guideId('s', id);
  return keys.length > 0
    ? writeStationKeys(keys)
    : `${station} has no keys yet: longwave station key ${station}`;
}

async function dropKey(pool: Pool, { id }: StationRow, which: string | undefined): Promise<string> {
  const station = guideId('s', id);
  if (which === undefined) throw new UsageError(`say which key; longwave station keys ${station} lists them`);
  const key = (await listStationKeys(pool, id)).find((known) => keyFingerprint(known) === which);
  if (!key || !(await removeStationKey(pool, id, key.key_hash)))
    throw new Error(`${station} has no key ${which}; longwave station keys ${station} lists them`);
  return `the key ${which} (${key.name}) of ${station} opens nothing any more. ${SEEN}`;
}
