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

const ofAccount = statement(
  'presets-of-account',
  COLUMNS,
  `SELECT ${LIST} FROM presets WHERE account_id = $1 ORDER BY folder_id, position LIMIT $2`,
);

/** An account's presets, folder by folder, each in its order. */
export const listPresets = (db: Queryable, accountId: number, limit: number): Promise<PresetRow[]> =>
  ofAccount.run(db, [accountId, limit]);

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
  `SELECT address, label FROM presets WHERE account_id = $1 AND id = $2 AND kind = 'u'`,
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
