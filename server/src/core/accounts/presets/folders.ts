import type { Pool } from 'pg';
import { Fault } from '../../../lib/fault.ts';
import { SHARDS } from '../../../lib/ids.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';
import { MAX_FOLDERS, noSuchFolder, tooManyFolders } from './preset-rules.ts';

const COLUMNS = { id: 'int8', name: 'text', is_default: 'bool', position: 'int4' } as const;

export type FolderRow = RowOf<typeof COLUMNS>;

/** The account's folders, without removed ones, in its order. */
export const listFolders = statement(
  'folders-of-account',
  COLUMNS,
  `SELECT id, name, is_default, position FROM folders
   WHERE account_id = $1 AND removed_at IS NULL ORDER BY position, id`,
).all((accountId: number) => [accountId]);

const folderFind = statement(
  'folder-find',
  { id: 'int8' },
  `SELECT id FROM folders WHERE account_id = $1 AND removed_at IS NULL AND id = coalesce($2::bigint,
     (SELECT id FROM folders WHERE account_id = $1 AND is_default AND removed_at IS NULL))`,
);

/** A folder of the account; the default one when none is named. */
export async function getFolderId(
  db: Queryable,
  accountId: number,
  folderId: number | undefined,
): Promise<number> {
  const [folder] = await folderFind.run(db, [accountId, folderId]);
  if (!folder) throw noSuchFolder();
  return folder.id;
}

// Folders from the thousandth on share a position; their ids keep them in order.
const folderAdd = statement(
  'folder-add',
  { id: 'int8' },
  `WITH account AS (UPDATE accounts SET folder_count = folder_count + 1 WHERE id = $1 RETURNING id)
   INSERT INTO folders (account_id, id, name, is_default, position)
   SELECT id, nextval('folder_serials') * ${SHARDS} + id % ${SHARDS}, $2, $3,
     (SELECT least(coalesce(max(position), 0) + 1, 1000) FROM folders WHERE account_id = $1 AND removed_at IS NULL)
   FROM account RETURNING id`,
);

/** A new folder, after the others. Its account's row stays locked until the transaction ends. */
export async function addFolderRow(
  db: Queryable,
  accountId: number,
  { name, isDefault = false }: { name: string; isDefault?: boolean },
): Promise<number> {
  const [added] = await folderAdd.run(db, [accountId, name, isDefault]);
  if (!added) throw new Error(`there is no account ${accountId}`);
  return added.id;
}

/** By its name, ignoring case. */
export const folderNamed = (folders: readonly FolderRow[], name: string): FolderRow | undefined =>
  folders.find((folder) => sameName(folder.name) === sameName(name));

const sameName = (name: string): string => name.normalize('NFC').toLowerCase();

/** The folder with that name, ignoring case; created when the account has none. */
export const addFolder = (pool: Pool, accountId: number, name: string): Promise<number> =>
  transaction(pool, async (client) => {
    const { folder_count: count } = await lockAccount(client, accountId);
    const known = folderNamed(await listFolders(client, accountId), name);
    if (known) return known.id;
    if (count >= MAX_FOLDERS) throw tooManyFolders();
    return addFolderRow(client, accountId, { name });
  });

const folderRename = statement(
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
        'The account has a folder with that name already; choose another name',
      );
    await folderRename.run(client, [accountId, folderId, name]);
  });

const folderEvenRemoved = statement(
  'folder-even-removed',
  { is_default: 'bool', is_removed: 'bool' },
  'SELECT is_default, removed_at IS NOT NULL AS is_removed FROM folders WHERE account_id = $1 AND id = $2',
);
const folderRemove = statement(
  'folder-remove',
  {},
  `WITH folder AS (UPDATE folders SET removed_at = now() WHERE account_id = $1 AND id = $2)
   UPDATE accounts SET folder_count = folder_count - 1,
     preset_count = preset_count - (SELECT count(*) FROM presets WHERE account_id = $1 AND folder_id = $2)
   WHERE id = $1`,
);

/** Removes a folder with its presets; the rows stay for a while. Removing it again has no effect. */
export const removeFolder = (pool: Pool, accountId: number, folderId: number): Promise<void> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const [folder] = await folderEvenRemoved.run(client, [accountId, folderId]);
    if (!folder) throw noSuchFolder();
    if (folder.is_default)
      throw new Fault(
        400,
        'request.folderInvalid',
        'The default folder cannot be removed; remove its presets instead',
      );
    if (!folder.is_removed) await folderRemove.run(client, [accountId, folderId]);
  });
