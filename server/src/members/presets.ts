import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

// Exactly what the covering index holds, so that a read never touches the table.
const COLUMNS = {
  folder_id: 'int8',
  position: 'int4',
  kind: 'text',
  item_id: 'int8',
  address: 'text?',
  label: 'text?',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type PresetRow = RowOf<typeof COLUMNS>;

const ofFolders = statement(
  'presets-of-folders',
  COLUMNS,
  `SELECT ${LIST} FROM presets WHERE account_id = $1 AND folder_id = ANY ($2::bigint[])
   ORDER BY folder_id, position LIMIT $3`,
);

/** The presets of some of an account's folders, folder by folder, each in its order. */
export const listPresets = (
  db: Queryable,
  { accountId, folderIds }: { accountId: number; folderIds: readonly number[] },
  limit: number,
): Promise<PresetRow[]> => ofFolders.run(db, [accountId, folderIds, limit]);

const ofFolder = statement(
  'presets-of-folder',
  COLUMNS,
  `SELECT ${LIST} FROM presets WHERE account_id = $1 AND folder_id = $2 AND position > $3 ORDER BY position LIMIT $4`,
);

/** One folder's presets in order, from after a position. */
export const listPresetsOfFolder = (
  db: Queryable,
  folder: { accountId: number; folderId: number },
  { afterPosition = 0, limit }: { afterPosition?: number; limit: number },
): Promise<PresetRow[]> => ofFolder.run(db, [folder.accountId, folder.folderId, afterPosition, limit]);

const savedAddress = statement(
  'preset-saved-address',
  { address: 'text?', label: 'text?' },
  `SELECT address, label FROM presets JOIN folders ON folders.account_id = $1 AND folders.id = folder_id
   WHERE presets.account_id = $1 AND presets.id = $2 AND kind = 'u' AND removed_at IS NULL`,
);

/** An address the account saved, with the name it gave it. */
export async function findSavedAddress(
  db: Queryable,
  accountId: number,
  id: number,
): Promise<{ address: string; label: string | null } | undefined> {
  const [{ address, label } = { address: null, label: null }] = await savedAddress.run(db, [accountId, id]);
  return address === null ? undefined : { address, label };
}
