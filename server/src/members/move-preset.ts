import type { Pool } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { lockAccount } from './account-lock.ts';
import { getFolderId } from './folders.ts';
import { settleFolder } from './settle-folder.ts';

const find = statement(
  'preset-find',
  { folder_id: 'int8' },
  `SELECT folder_id FROM presets JOIN folders ON folders.account_id = $1 AND folders.id = folder_id
   WHERE presets.account_id = $1 AND presets.id = $2 AND removed_at IS NULL`,
);
const twins = statement(
  'preset-twin',
  { id: 'int8' },
  `SELECT twin.id FROM presets JOIN presets AS twin ON twin.account_id = $1 AND twin.folder_id = $3
     AND ((twin.kind = presets.kind AND twin.item_id = presets.item_id) OR md5(twin.address) = md5(presets.address))
   WHERE presets.account_id = $1 AND presets.id = $2`,
);
const leave = statement('preset-leave', {}, 'DELETE FROM presets WHERE account_id = $1 AND id = $2');
const enter = statement(
  'preset-enter',
  {},
  `UPDATE presets SET folder_id = $3, position = folders.last_position + 1
   FROM folders WHERE folders.account_id = $1 AND folders.id = $3 AND presets.account_id = $1 AND presets.id = $2`,
);

/**
 * Moves a preset behind the others of another folder; where the same item is there already, the two become one. False when
 * the account has no such preset.
 */
export const movePreset = (pool: Pool, accountId: number, id: number, folderId: number): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const target = await getFolderId(client, accountId, folderId);
    const [preset] = await find.run(client, [accountId, id]);
    if (!preset || preset.folder_id === target) return preset !== undefined;
    const isThere = (await twins.run(client, [accountId, id, target])).length > 0;
    if (isThere) await leave.run(client, [accountId, id]);
    else await enter.run(client, [accountId, id, target]);
    await settleFolder(client, { accountId, folderId: preset.folder_id }, isThere ? -1 : 0);
    await settleFolder(client, { accountId, folderId: target }, 0);
    return true;
  });
