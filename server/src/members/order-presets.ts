import type { Pool } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { lockAccount } from './account-lock.ts';
import { getFolderId } from './folders.ts';
import { settleFolder } from './settle-folder.ts';

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
 * Puts a folder's presets in another order. The numbers that are taken stay taken and the free ones free: they are a
 * radio's buttons. False, and nothing done, when these are not exactly the presets of the folder.
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

const find = statement(
  'preset-folder',
  { folder_id: 'int8' },
  `SELECT folder_id FROM presets JOIN folders ON folders.account_id = $1 AND folders.id = folder_id
   WHERE presets.account_id = $1 AND presets.id = $2 AND removed_at IS NULL`,
);
const remove = statement('preset-remove-one', {}, 'DELETE FROM presets WHERE account_id = $1 AND id = $2');

/** Removes a preset by its own number; false when the account has no such preset. */
export const removePresetById = (pool: Pool, accountId: number, id: number): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const [preset] = await find.run(client, [accountId, id]);
    if (!preset) return false;
    await remove.run(client, [accountId, id]);
    await settleFolder(client, { accountId, folderId: preset.folder_id }, -1);
    return true;
  });
