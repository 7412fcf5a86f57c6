import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { type GuideId, guideId } from '../lib/guide-id.ts';
import { MOST_PRESETS } from './preset-faults.ts';

const saved = statement(
  'presets-saved-items',
  { kind: 'text', item_id: 'int8' },
  `SELECT p.kind, p.item_id FROM presets AS p
   JOIN folders AS f ON f.account_id = $1 AND f.id = p.folder_id AND f.removed_at IS NULL
   WHERE p.account_id = $1 LIMIT ${MOST_PRESETS}`,
);

/** The stations and shows that an account has saved, by their guide IDs. */
export async function listSavedItems(db: Queryable, accountId: number): Promise<Set<GuideId>> {
  const rows = await saved.run(db, [accountId]);
  return new Set(
    rows.flatMap(({ kind, item_id: id }) => (kind === 's' || kind === 'p' ? [guideId(kind, id)] : [])),
  );
}
