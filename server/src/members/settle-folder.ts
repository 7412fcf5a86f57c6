import type { PoolClient } from 'pg';
import { statement } from '../db/statement.ts';

const settle = statement(
  'folder-settle',
  {},
  `WITH folder AS (
     UPDATE folders SET last_position = (
       SELECT coalesce(max(position), 0) FROM presets WHERE account_id = $1 AND folder_id = $2)
     WHERE account_id = $1 AND id = $2)
   UPDATE accounts SET preset_count = preset_count + $3::int WHERE id = $1 AND $3 <> 0`,
);

/** After a change in a folder of a locked account: its last position, and how many presets the account has more or less. */
export async function settleFolder(
  client: PoolClient,
  { accountId, folderId }: { accountId: number; folderId: number },
  added: -1 | 0 | 1,
): Promise<void> {
  await settle.run(client, [accountId, folderId, added]);
}
