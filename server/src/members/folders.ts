import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

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
