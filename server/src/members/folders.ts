import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { SHARDS } from '../lib/shard.ts';
import { noSuchFolder } from './preset-faults.ts';

const COLUMNS = { id: 'int8', name: 'text', is_default: 'bool', position: 'int4' } as const;

export type FolderRow = RowOf<typeof COLUMNS>;

const ofAccount = statement(
  'folders-of-account',
  COLUMNS,
  `SELECT id, name, is_default, position FROM folders
   WHERE account_id = $1 AND removed_at IS NULL ORDER BY position, id`,
);

/** The folders an account has not removed, in its order. */
export const listFolders = (db: Queryable, accountId: number): Promise<FolderRow[]> =>
  ofAccount.run(db, [accountId]);

const find = statement(
  'folder-find',
  { id: 'int8' },
  `SELECT id FROM folders WHERE account_id = $1 AND removed_at IS NULL AND id = coalesce($2::bigint,
     (SELECT id FROM folders WHERE account_id = $1 AND is_default AND removed_at IS NULL))`,
);

/** A folder that the account has; the default one when none is named. */
export async function getFolderId(
  db: Queryable,
  accountId: number,
  folderId: number | undefined,
): Promise<number> {
  const [folder] = await find.run(db, [accountId, folderId]);
  if (!folder) throw noSuchFolder();
  return folder.id;
}

// The thousandth and all after it share a position; their ids keep them in order.
const add = statement(
  'folder-add',
  { id: 'int8' },
  `WITH account AS (UPDATE accounts SET folder_count = folder_count + 1 WHERE id = $1 RETURNING id)
   INSERT INTO folders (account_id, id, name, is_default, position)
   SELECT id, nextval('folder_serials') * ${SHARDS} + id % ${SHARDS}, $2, $3,
     (SELECT least(coalesce(max(position), 0) + 1, 1000) FROM folders WHERE account_id = $1 AND removed_at IS NULL)
   FROM account RETURNING id`,
);

/** A new folder, behind the others. Its account's row stays locked until the transaction ends. */
export async function addFolderRow(
  db: Queryable,
  accountId: number,
  { name, isDefault = false }: { name: string; isDefault?: boolean },
): Promise<number> {
  const [added] = await add.run(db, [accountId, name, isDefault]);
  if (!added) throw new Error(`there is no account ${accountId}`);
  return added.id;
}
