import { type GuideId, guideId } from '../../../lib/guide-id.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { MAX_PRESETS } from './preset-rules.ts';

/** What can be saved. A station or show is stored with its name, so that it still has one when it is gone. */
export type PresetItem =
  | { kind: 's' | 'p'; itemId: number; label: string }
  | { kind: 'u'; address: string; label: string };

/** Identifies a preset within a folder; a saved address has an id as well. */
export type PresetKey = { kind: 's' | 'p' | 'u'; itemId: number } | { kind: 'u'; address: string };

/** As parameters of a statement: kind, item, address. */
export const keyParams = (key: PresetKey): [kind: string, itemId: number | null, address: string | null] =>
  'address' in key ? [key.kind, null, key.address] : [key.kind, key.itemId, null];

/** As parameters of a statement: kind, item, address, label. */
export const itemParams = (item: PresetItem): unknown[] => [...keyParams(item), item.label];

// Exactly the columns of the covering index, so that a read never touches the table.
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

/** The presets of some of an account's folders, folder by folder, each in its order. */
export const listPresets = statement(
  'presets-of-folders',
  COLUMNS,
  `SELECT ${LIST} FROM presets WHERE account_id = $1 AND folder_id = ANY ($2::bigint[])
   ORDER BY folder_id, position LIMIT $3`,
).all(({ accountId, folderIds }: { accountId: number; folderIds: readonly number[] }, limit: number) => [
  accountId,
  folderIds,
  limit,
]);

const savedAddress = statement(
  'preset-saved-address',
  { address: 'text?', label: 'text?' },
  `SELECT address, label FROM presets JOIN folders ON folders.account_id = $1 AND folders.id = folder_id
   WHERE presets.account_id = $1 AND presets.id = $2 AND kind = 'u' AND removed_at IS NULL`,
);

/** An address the account saved, with its name. */
export async function findSavedAddress(
  db: Queryable,
  accountId: number,
  id: number,
): Promise<{ address: string; label: string | null } | undefined> {
  const [{ address, label } = { address: null, label: null }] = await savedAddress.run(db, [accountId, id]);
  return address === null ? undefined : { address, label };
}

const SAVED_COLUMNS = { id: 'int8', ...COLUMNS } as const;

export type SavedPreset = RowOf<typeof SAVED_COLUMNS>;

/** The presets of an account's folders with their ids, by which the site can move or remove one. */
export const listSavedPresets = statement(
  'presets-saved',
  SAVED_COLUMNS,
  `SELECT ${Object.keys(SAVED_COLUMNS).join(', ')} FROM presets WHERE account_id = $1 AND folder_id = ANY ($2::bigint[])
   ORDER BY folder_id, position LIMIT ${MAX_PRESETS}`,
).all((accountId: number, folderIds: readonly number[]) => [accountId, folderIds]);

const presetsSavedItems = statement(
  'presets-saved-items',
  { kind: 'text', item_id: 'int8' },
  `SELECT p.kind, p.item_id FROM presets AS p
   JOIN folders AS f ON f.account_id = $1 AND f.id = p.folder_id AND f.removed_at IS NULL
   WHERE p.account_id = $1 LIMIT ${MAX_PRESETS}`,
);

/** The stations and shows that an account has saved, by their guide IDs. */
export async function listSavedItems(db: Queryable, accountId: number): Promise<Set<GuideId>> {
  const rows = await presetsSavedItems.run(db, [accountId]);
  return new Set(
    rows.flatMap(({ kind, item_id: id }) => (kind === 's' || kind === 'p' ? [guideId(kind, id)] : [])),
  );
}
