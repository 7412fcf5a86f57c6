import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { GuideLetter } from '../lib/guide-id.ts';

const find = statement(
  'image-address',
  { address: 'text' },
  'SELECT address FROM images WHERE kind = $1 AND item_id = $2',
);

/** Where the picture of an item comes from. */
export async function findImageAddress(
  db: Queryable,
  kind: GuideLetter,
  itemId: number,
): Promise<string | undefined> {
  const [image] = await find.run(db, [kind, itemId]);
  return image?.address;
}
