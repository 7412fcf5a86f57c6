import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { MOST_PRESETS } from './preset-faults.ts';

const COLUMNS = {
  id: 'int8',
  folder_id: 'int8',
  position: 'int4',
  kind: 'text',
  item_id: 'int8',
  address: 'text?',
  label: 'text?',
} as const;

export type SavedPreset = RowOf<typeof COLUMNS>;

const saved = statement(
  'presets-saved',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM presets WHERE account_id = $1 AND folder_id = ANY ($2::bigint[])
   ORDER BY folder_id, position LIMIT ${MOST_PRESETS}`,
);

/** The presets of an account's folders with their own numbers, by which one that is shown can be moved or removed. */
export const listSavedPresets = (
  db: Queryable,
  accountId: number,
  folderIds: readonly number[],
): Promise<SavedPreset[]> => saved.run(db, [accountId, folderIds]);
