import type { Pool, PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { SHARDS } from '../lib/shard.ts';
import { lockAccount } from './account-lock.ts';
import { getFolderId } from './folders.ts';
import { type Place, makeRoom } from './place-preset.ts';
import { MOST_PRESETS, tooManyPresets } from './preset-faults.ts';
import { type PresetItem, itemParams, keyParams } from './preset-item.ts';
import { settleFolder } from './settle-folder.ts';

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

/** Puts an item on a number of a folder, the default one unless told. What stands there makes room. */
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
    if (!own && count >= MOST_PRESETS) throw tooManyPresets();
    const others = all.filter((place) => place !== own);
    const moved = makeRoom(others, number, own?.position);
    await move(client, accountId, own ? [...moved, { id: own.id, position: number }] : moved);
    if (!own) await insert.run(client, [accountId, folder.folderId, number, ...itemParams(item)]);
    await settleFolder(client, folder, own ? 0 : 1);
  });
}

async function move(client: PoolClient, accountId: number, moved: readonly Place[]): Promise<void> {
  if (moved.length === 0) return;
  const [ids, positions] = [moved.map(({ id }) => id), moved.map(({ position }) => position)];
  await shift.run(client, [accountId, ids, positions]);
}
