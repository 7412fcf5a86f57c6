import type { Pool } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { lockAccount } from './account-lock.ts';
import { getFolderId } from './folders.ts';
import { type PresetKey, keyParams } from './preset-item.ts';
import { settleFolder } from './settle-folder.ts';

const remove = statement(
  'preset-remove',
  { id: 'int8' },
  `DELETE FROM presets WHERE account_id = $1 AND folder_id = $2
     AND ((kind = $3 AND item_id = $4::bigint) OR (kind = 'u' AND md5(address) = md5($5::text)))
   RETURNING id`,
);

/** Takes an item out of a folder, the default one unless told. Its number stays free. False when it was not there. */
export const removePreset = (
  pool: Pool,
  accountId: number,
  folderId: number | undefined,
  key: PresetKey,
): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const folder = { accountId, folderId: await getFolderId(client, accountId, folderId) };
    const removed = await remove.run(client, [accountId, folder.folderId, ...keyParams(key)]);
    if (removed.length > 0) await settleFolder(client, folder, -1);
    return removed.length > 0;
  });
