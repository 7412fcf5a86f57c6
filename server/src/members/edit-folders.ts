import type { Pool } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { Fault } from '../lib/fault.ts';
import { lockAccount } from './account-lock.ts';
import { type FolderRow, addFolderRow, listFolders } from './folders.ts';
import { MOST_FOLDERS, noSuchFolder, tooManyFolders } from './preset-faults.ts';

/** By its name, in capitals or not. */
export const folderNamed = (folders: readonly FolderRow[], name: string): FolderRow | undefined =>
  folders.find((folder) => sameName(folder.name) === sameName(name));

const sameName = (name: string): string => name.normalize('NFC').toLowerCase();

/** The folder of that name, in capitals or not; made when the account has none. */
export const addFolder = (pool: Pool, accountId: number, name: string): Promise<number> =>
  transaction(pool, async (client) => {
    const { folder_count: count } = await lockAccount(client, accountId);
    const known = folderNamed(await listFolders(client, accountId), name);
    if (known) return known.id;
    if (count >= MOST_FOLDERS) throw tooManyFolders();
    return addFolderRow(client, accountId, { name });
  });

const rename = statement(
  'folder-rename',
  {},
  'UPDATE folders SET name = $3 WHERE account_id = $1 AND id = $2 AND removed_at IS NULL',
);

export const renameFolder = (pool: Pool, accountId: number, folderId: number, name: string): Promise<void> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const folders = await listFolders(client, accountId);
    if (!folders.some(({ id }) => id === folderId)) throw noSuchFolder();
    const taken = folderNamed(folders, name);
    if (taken && taken.id !== folderId)
      throw new Fault(
        400,
        'request.invalid',
        'The account has a folder of that name already; choose another name',
      );
    await rename.run(client, [accountId, folderId, name]);
  });

const find = statement(
  'folder-even-removed',
  { is_default: 'bool', is_removed: 'bool' },
  'SELECT is_default, removed_at IS NOT NULL AS is_removed FROM folders WHERE account_id = $1 AND id = $2',
);
const remove = statement(
  'folder-remove',
  {},
  `WITH folder AS (UPDATE folders SET removed_at = now() WHERE account_id = $1 AND id = $2)
   UPDATE accounts SET folder_count = folder_count - 1,
     preset_count = preset_count - (SELECT count(*) FROM presets WHERE account_id = $1 AND folder_id = $2)
   WHERE id = $1`,
);

/** Removes a folder with what is in it; the rows stay for a while. One that is removed already is not removed again. */
export const removeFolder = (pool: Pool, accountId: number, folderId: number): Promise<void> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const [folder] = await find.run(client, [accountId, folderId]);
    if (!folder) throw noSuchFolder();
    if (folder.is_default)
      throw new Fault(400, 'request.folderInvalid', 'The default folder stays; remove what is in it instead');
    if (!folder.is_removed) await remove.run(client, [accountId, folderId]);
  });
