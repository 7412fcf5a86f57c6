import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { SHARDS } from '../../../lib/ids.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount, lookAtAccount } from '../accounts.ts';
import { repairFolder } from './arrange-presets.ts';
import { getFolderId } from './folders.ts';
import { MAX_PRESETS, noSuchFolder, tooManyPresets } from './preset-rules.ts';
import { itemParams, keyParams, type PresetItem } from './presets.ts';

/**
 * One statement, so that a save is one disk flush and nothing is left half done. The account's row is locked first; its
 * count and the folder's last position are then current, while the lookups (`wanted`, `there`) show the state before
 * the wait. A concurrent change fails the whole statement: the same preset added elsewhere by its unique key, a removed
 * folder by a missing position.
 */
export const presetAdd = statement(
  'preset-add',
  { folder_id: 'int8?', is_there: 'bool', is_added: 'bool' },
  `WITH wanted AS (
     SELECT id FROM folders WHERE account_id = $1 AND removed_at IS NULL AND id = coalesce($2::bigint,
       (SELECT id FROM folders WHERE account_id = $1 AND is_default AND removed_at IS NULL))
   ), there AS (
     SELECT 1 AS one FROM presets JOIN wanted ON folder_id = wanted.id
       WHERE account_id = $1 AND kind = $3 AND item_id = $4::bigint
     UNION ALL
     SELECT 1 FROM presets JOIN wanted ON folder_id = wanted.id
       WHERE account_id = $1 AND kind = 'u' AND md5(address) = md5($5::text)
   ), account AS (
     UPDATE accounts SET preset_count = preset_count + 1 FROM wanted
     WHERE accounts.id = $1 AND preset_count < ${MAX_PRESETS} AND left_at IS NULL
       AND NOT EXISTS (SELECT FROM there)
     RETURNING accounts.id
   ), folder AS (
     UPDATE folders SET last_position = last_position + 1 FROM account, wanted
     WHERE folders.account_id = $1 AND folders.id = wanted.id AND removed_at IS NULL
     RETURNING folders.id, last_position
   ), added AS (
     INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
     SELECT account.id, new.id, folder.id, folder.last_position, $3, coalesce($4, new.id), $5, $6
     FROM account LEFT JOIN folder ON true
       CROSS JOIN LATERAL (SELECT nextval('preset_serials') * ${SHARDS} + account.id % ${SHARDS} AS id) AS new
     RETURNING id
   )
   SELECT (SELECT id FROM wanted) AS folder_id, EXISTS (SELECT FROM there) AS is_there,
     EXISTS (SELECT FROM added) AS is_added`,
);

/** Saves an item at the end of a folder, by default the default folder; one that is there already stays where it is. */
export async function addPreset(
  db: Queryable,
  accountId: number,
  folderId: number | undefined,
  item: PresetItem,
): Promise<void> {
  const [outcome] = await presetAdd.run(db, [accountId, folderId, ...itemParams(item)]).catch(outcomeOf);
  if (!outcome?.folder_id) throw noSuchFolder();
  if (outcome.is_there || outcome.is_added) return;
  await lookAtAccount(db, accountId);
  throw tooManyPresets();
}

const UNIQUE_VIOLATION = '23505';
const NOT_NULL_VIOLATION = '23502';
const KEYS = ['presets_address', 'presets_account_id_folder_id_kind_item_id_key'];

/** Interprets the database's error when something changed between the wait and the save. */
function outcomeOf(error: unknown): [{ folder_id: number; is_there: true; is_added: false }] | [] {
  if (!(error instanceof DatabaseError)) throw error;
  if (error.code === UNIQUE_VIOLATION && KEYS.includes(constraintOf(error)))
    return [{ folder_id: 1, is_there: true, is_added: false }];
  if (error.code === NOT_NULL_VIOLATION) return [];
  throw error;
}

/** What Citus adds to the name of a constraint on one of its servers. */
const PART = /_\d+$/;

/** What a worker of Citus says comes as a message alone in some of its plans. */
const constraintOf = ({ constraint, message }: DatabaseError): string =>
  (constraint ?? message.split('"', 2)[1] ?? '').replace(PART, '');

const places = statement(
  'preset-places',
  { id: 'int8', position: 'int4', is_meant: 'bool' },
  `SELECT id, position, coalesce(
     CASE WHEN $5::text IS NULL THEN kind = $3 AND item_id = $4::bigint ELSE md5(address) = md5($5) END, false) AS is_meant
   FROM presets WHERE account_id = $1 AND folder_id = $2`,
);
const shift = statement(
  'presets-shift',
  {},
  `UPDATE presets SET position = moved.position FROM unnest($2::bigint[], $3::int[]) AS moved (id, position)
   WHERE presets.account_id = $1 AND presets.id = moved.id`,
);
const insert = statement(
  'preset-insert',
  {},
  `INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
   SELECT $1, new.id, $2, $3, $4, coalesce($5, new.id), $6, $7
   FROM (SELECT nextval('preset_serials') * ${SHARDS} + $1::bigint % ${SHARDS} AS id) AS new`,
);

/** Puts an item on a number of a folder, by default the default folder. Presets in the way move up. */
export async function setPreset(
  pool: Pool,
  accountId: number,
  { folderId, number }: { folderId: number | undefined; number: number },
  item: PresetItem,
): Promise<void> {
  await transaction(pool, async (client) => {
    const { preset_count: count } = await lockAccount(client, accountId);
    const folder = { accountId, folderId: await getFolderId(client, accountId, folderId) };
    const all = await places.run(client, [accountId, folder.folderId, ...keyParams(item)]);
    const own = all.find((place) => place.is_meant);
    if (own?.position === number) return;
    if (!own && count >= MAX_PRESETS) throw tooManyPresets();
    const others = all.filter((place) => place !== own);
    const moved = makeRoom(others, number, own?.position);
    await move(client, accountId, own ? [...moved, { id: own.id, position: number }] : moved);
    if (!own) await insert.run(client, [accountId, folder.folderId, number, ...itemParams(item)]);
    await repairFolder(client, folder, own ? 0 : 1);
  });
}

async function move(client: PoolClient, accountId: number, moved: readonly Place[]): Promise<void> {
  if (moved.length === 0) return;
  const [ids, positions] = [moved.map(({ id }) => id), moved.map(({ position }) => position)];
  await shift.run(client, [accountId, ids, positions]);
}

/** A preset's position in its folder. */
interface Place {
  id: number;
  position: number;
}

/**
 * Where the others go when a preset takes a number; only those that move. Numbers are a radio's buttons: a gap stays
 * one until it is needed. The run of presets from the number on moves up into the first gap. For a preset that comes
 * from another number of the same folder its old place is such a gap, and the run moves towards it.
 */
export function makeRoom(others: readonly Place[], number: number, from?: number): Place[] {
  const taken = new Map(others.map(({ id, position }) => [position, id]));
  const step = from !== undefined && from < number ? -1 : 1;
  const moved: Place[] = [];
  for (let at = number; ; at += step) {
    const id = taken.get(at);
    if (id === undefined) return moved;
    moved.push({ id, position: at + step });
  }
}
