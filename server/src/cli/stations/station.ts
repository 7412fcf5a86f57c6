import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openContext } from '../../app/context.ts';
import { SETTABLE } from '../../import/operator/field-values.ts';
import { guideId } from '../../lib/guide-id.ts';
import {
  addStationKey,
  keyFingerprint,
  listStationKeys,
  MAX_KEYS,
  removeStationKey,
  type StationKeyRow,
} from '../../storage/catalog/stations/station-keys.ts';
import { hoursOf, KEPT_DAYS, listListening } from '../../storage/catalog/streams/relay-listening.ts';
import { findStationRow, type StationRow } from '../../storage/catalog/stations/stations.ts';
import { type Command, UsageError } from '../command.ts';
import { EDITS, stationNumber } from '../operator/edit-station.ts';
import { describeHistory } from '../operator/show-history.ts';
import { describeStation } from '../operator/show-station.ts';
import { inColumns } from '../terminal.ts';

const SEEN = 'Running servers apply it within a few seconds.';

const text = { type: 'string' } as const;
const OPTIONS = { name: text, as: text, why: text, before: text } as const;
type Values = { [Option in keyof typeof OPTIONS]?: string };

export const stationCommand: Command = {
  usage: [
    'station show ID',
    'station set ID FIELD=VALUE… [--as NAME] [--why TEXT]',
    'station hide ID --why TEXT [--as NAME]',
    'station unhide ID [--as NAME] [--why TEXT]',
    'station merge ID OTHER-ID [--as NAME] [--why TEXT]',
    'station split ID STREAM-ID… [--as NAME] [--why TEXT]',
    'station history ID [--before CHANGE]',
    'station revert CHANGE [--as NAME] [--why TEXT]',
    'station key ID [--name TEXT]',
    'station keys ID',
    'station drop-key ID KEY',
    'station relayed ID',
  ],
  summary: `look at and change a station by hand (docs/operator.md), and manage its broadcaster's keys, and what was heard of it through the relay; FIELD is one of ${SETTABLE.join(', ')}`,
  async run(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const [action = '', ...words] = positionals;
    const allowed = ALLOWED.get(action);
    if (!allowed) throw new UsageError(`give an action: ${[...ALLOWED.keys()].join(', ')}`);
    const unused = Object.keys(values).find((option) => !allowed.includes(option));
    if (unused !== undefined) throw new UsageError(`station ${action} takes no --${unused}`);
    await using context = openContext(config, { name: 'station', statementTimeoutMs: MAX_STATEMENT_MS });
    console.log(await act(context.pool, action, words, values));
  },
};

/** A merge looks through all presets once. */
const MAX_STATEMENT_MS = 120_000;

/** The actions, with their options. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['show', []],
  ...[...EDITS.keys()].map((edit) => [edit, ['as', 'why']] as const),
  ['history', ['before']],
  ['key', ['name']],
  ['keys', []],
  ['drop-key', []],
  ['relayed', []],
]);

function act(pool: Pool, action: string, words: readonly string[], values: Values): Promise<string> {
  const edit = EDITS.get(action);
  if (edit) return edit(pool, words, values);
  const [id, which, ...more] = words;
  const stationId = stationNumber(action, id);
  const extra = action === 'drop-key' ? more[0] : which;
  if (extra !== undefined) throw new UsageError(`'${extra}' is unexpected; put texts with spaces in quotes`);
  if (action === 'show') return describeStation(pool, stationId);
  if (action === 'history') return describeHistory(pool, stationId, parseChange(values.before));
  return actOnKeys(pool, action, stationId, action === 'key' ? values.name : which);
}

function parseChange(given: string | undefined): number | undefined {
  if (given === undefined || /^\d{1,15}$/.test(given)) return given === undefined ? undefined : Number(given);
  throw new UsageError(`--before '${given}' is no change; the list ends with the number to give`);
}

async function actOnKeys(
  pool: Pool,
  action: string,
  stationId: number,
  given: string | undefined,
): Promise<string> {
  const station = await findStationRow(pool, stationId);
  if (!station)
    throw new Error(`there is no station ${guideId('s', stationId)}; Search.ashx?query=NAME finds its id`);
  if (action === 'relayed') return listRelayed(pool, station);
  if (action === 'key') return makeKey(pool, station, given);
  return action === 'keys' ? listKeys(pool, station) : removeKey(pool, station, given);
}

const MAX_NAME_LENGTH = 60;

async function makeKey(pool: Pool, { id, name }: StationRow, given = 'key'): Promise<string> {
  const keyName = given.trim();
  if (keyName === '' || keyName.length > MAX_NAME_LENGTH)
    throw new UsageError(`--name takes 1 to ${MAX_NAME_LENGTH} characters`);
  const key = await addStationKey(pool, id, keyName);
  const station = guideId('s', id);
  if (key === undefined)
    throw new Error(
      `${station} has ${MAX_KEYS} keys, the maximum; first run longwave station drop-key ${station} KEY`,
    );
  return [
    key,
    '',
    `The key of ${station} ${name}. It is shown only once, so store it now. ${SEEN}`,
    'docs/broadcasters.md explains how to use it.',
  ].join('\n');
}

async function listKeys(pool: Pool, { id }: StationRow): Promise<string> {
  const keys = await listStationKeys(pool, id);
  const station = guideId('s', id);
  return keys.length > 0
    ? writeStationKeys(keys)
    : `${station} has no keys yet: longwave station key ${station}`;
}

async function removeKey(pool: Pool, { id }: StationRow, which: string | undefined): Promise<string> {
  const station = guideId('s', id);
  if (which === undefined) throw new UsageError(`give the key; longwave station keys ${station} lists them`);
  const key = (await listStationKeys(pool, id)).find((known) => keyFingerprint(known) === which);
  if (!key || !(await removeStationKey(pool, id, key.key_hash)))
    throw new Error(`${station} has no key ${which}; longwave station keys ${station} lists them`);
  return `the key ${which} (${key.name}) of ${station} is no longer valid. ${SEEN}`;
}

async function listRelayed(pool: Pool, { id }: StationRow): Promise<string> {
  const rows = await listListening(pool, id);
  if (rows.length === 0)
    return `nobody heard ${guideId('s', id)} through the relay in the last ${KEPT_DAYS} days`;
  const lines = rows.map((row) => [row.day, row.country || '-', String(row.sessions), hoursOf(row)]);
  return inColumns([['DAY', 'COUNTRY', 'SESSIONS', 'HOURS'], ...lines]);
}

/** One line per key, in columns, with its id, never the key itself. */
const writeStationKeys = (keys: readonly StationKeyRow[]): string =>
  inColumns([
    ['KEY', 'MADE', 'LAST USED', 'NAME'],
    ...keys.map((key) => [
      keyFingerprint(key),
      dayOf(key.created_at),
      key.last_used_at ? dayOf(key.last_used_at) : 'never',
      key.name,
    ]),
  ]);

const dayOf = (at: Temporal.Instant): string => at.toString().slice(0, 10);
