import type { Pool, PoolClient } from 'pg';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';
import { getFolderId } from './folders.ts';
import { keyParams, type PresetKey } from './presets.ts';

// Changes to saved presets: moving, ordering, removing.

const presetFind = statement(
  'preset-find',
  { folder_id: 'int8' },
  `SELECT folder_id FROM presets JOIN folders ON folders.account_id = $1 AND folders.id = folder_id
   WHERE presets.account_id = $1 AND presets.id = $2 AND removed_at IS NULL`,
);
const presetTwin = statement(
  'preset-twin',
  { id: 'int8' },
  `SELECT twin.id FROM presets JOIN presets AS twin ON twin.account_id = $1 AND twin.folder_id = $3
     AND ((twin.kind = presets.kind AND twin.item_id = presets.item_id) OR md5(twin.address) = md5(presets.address))
   WHERE presets.account_id = $1 AND presets.id = $2`,
);
const presetLeave = statement('preset-leave', {}, 'DELETE FROM presets WHERE account_id = $1 AND id = $2');
const presetEnter = statement(
  'preset-enter',
  {},
  `UPDATE presets SET folder_id = $3, position = folders.last_position + 1
   FROM folders WHERE folders.account_id = $1 AND folders.id = $3 AND presets.account_id = $1 AND presets.id = $2`,
);

/**
 * Moves a preset to the end of another folder; if the same item is there already, the two become one. False when the
 * account has no such preset.
 */
export const movePreset = (pool: Pool, accountId: number, id: number, folderId: number): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const target = await getFolderId(client, accountId, folderId);
    const [preset] = await presetFind.run(client, [accountId, id]);
    if (!preset || preset.folder_id === target) return preset !== undefined;
    const isThere = (await presetTwin.run(client, [accountId, id, target])).length > 0;
    if (isThere) await presetLeave.run(client, [accountId, id]);
    else await presetEnter.run(client, [accountId, id, target]);
    await repairFolder(client, { accountId, folderId: preset.folder_id }, isThere ? -1 : 0);
    await repairFolder(client, { accountId, folderId: target }, 0);
    return true;
  });

const places = statement(
  'presets-in-order',
  { id: 'int8', position: 'int4' },
  'SELECT id, position FROM presets WHERE account_id = $1 AND folder_id = $2 ORDER BY position',
);
const arrange = statement(
  'presets-arrange',
  {},
  `UPDATE presets SET position = arranged.position FROM unnest($2::bigint[], $3::int[]) AS arranged (id, position)
   WHERE presets.account_id = $1 AND presets.id = arranged.id`,
);

/**
 * Reorders a folder's presets. Used numbers stay used and free ones free: they are a radio's buttons. Returns false and
 * changes nothing when these are not exactly the presets of the folder.
 */
export const orderPresets = (
  pool: Pool,
  accountId: number,
  folderId: number,
  ids: readonly number[],
): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    await getFolderId(client, accountId, folderId);
    const now = await places.run(client, [accountId, folderId]);
    const wanted = new Set(ids);
    const isSame =
      wanted.size === ids.length && now.length === ids.length && now.every(({ id }) => wanted.has(id));
    if (!isSame) return false;
    await arrange.run(client, [accountId, ids, now.map(({ position }) => position)]);
    return true;
  });

/** Removes a preset by its id; false when the account has no such preset. */
export const removePresetById = (pool: Pool, accountId: number, id: number): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const [preset] = await presetFind.run(client, [accountId, id]);
    if (!preset) return false;
    await presetLeave.run(client, [accountId, id]);
    await repairFolder(client, { accountId, folderId: preset.folder_id }, -1);
    return true;
  });

const presetRemove = statement(
  'preset-remove',
  { id: 'int8' },
  `DELETE FROM presets WHERE account_id = $1 AND folder_id = $2
     AND ((kind = $3 AND item_id = $4::bigint) OR (kind = 'u' AND md5(address) = md5($5::text)))
   RETURNING id`,
);

/** Removes an item from a folder, by default the default folder. Its number stays free. False when it was not there. */
export const removePreset = (
  pool: Pool,
  accountId: number,
  folderId: number | undefined,
  key: PresetKey,
): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const folder = { accountId, folderId: await getFolderId(client, accountId, folderId) };
    const removed = await presetRemove.run(client, [accountId, folder.folderId, ...keyParams(key)]);
    if (removed.length > 0) await repairFolder(client, folder, -1);
    return removed.length > 0;
  });

const presetsOfShowRemove = statement(
  'presets-of-show-remove',
  { folder_id: 'int8' },
  `DELETE FROM presets USING folders WHERE presets.account_id = $1 AND presets.kind = 'p' AND presets.item_id = $2
     AND folders.account_id = $1 AND folders.id = presets.folder_id AND folders.removed_at IS NULL
   RETURNING presets.folder_id`,
);

/** Removes a show from all folders of a locked account. */
export async function removeShowPresets(
  client: PoolClient,
  accountId: number,
  showId: number,
): Promise<void> {
  for (const { folder_id: folderId } of await presetsOfShowRemove.run(client, [accountId, showId]))
    await repairFolder(client, { accountId, folderId }, -1);
}

const SETTLE = `UPDATE folders SET last_position = (
    SELECT coalesce(max(position), 0) FROM presets WHERE account_id = $1 AND folder_id = $2)
  WHERE account_id = $1 AND id = $2`;
const settle = statement('folder-settle', {}, SETTLE);
// Not one statement with a condition on the number: where a part of it can have no row, Citus leaves out the other as well.
const settleAndCount = statement(
  'folder-settle-counted',
  {},
  `WITH folder AS (${SETTLE}) UPDATE accounts SET preset_count = preset_count + $3::int WHERE id = $1`,
);

/** After a change in a folder of a locked account: updates its last position and the account's preset count. */
export async function repairFolder(
  client: PoolClient,
  { accountId, folderId }: { accountId: number; folderId: number },
  added: -1 | 0 | 1,
): Promise<void> {
  if (added === 0) await settle.run(client, [accountId, folderId]);
  else await settleAndCount.run(client, [accountId, folderId, added]);
}
