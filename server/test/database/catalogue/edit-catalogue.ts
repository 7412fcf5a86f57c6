import type { Pool, PoolClient } from 'pg';
import { bumpCatalogue, catalogueState } from '../../../src/storage/catalog/stations/version.ts';
import type { Queryable } from '../../../src/storage/db/pool.ts';
import { statement } from '../../../src/storage/db/statement.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';

export const catalogueVersion = async (db: Queryable): Promise<number> => (await catalogueState(db)).version;

/** An edit by hand together with its version bump; false when the edit found nothing to change. */
export function editCatalogue(
  pool: Pool,
  edit: (client: PoolClient) => Promise<readonly unknown[]>,
): Promise<boolean> {
  return transaction(pool, async (client) => {
    const edited = await edit(client);
    if (edited.length === 0) return false;
    await bumpCatalogue(client);
    return true;
  });
}

const setListed = statement(
  'stream-set-listed',
  { id: 'int8' },
  `UPDATE streams SET listed = $2, pinned = ARRAY (SELECT DISTINCT unnest(pinned || '{listed}') ORDER BY 1),
     updated_at = now()
   WHERE id = $1 RETURNING id`,
);

/** Hides or shows a stream by hand, so that no import changes it again. False when there is no such stream. */
export const setStreamListed = (pool: Pool, id: number, listed: boolean): Promise<boolean> =>
  editCatalogue(pool, (client) => setListed.run(client, [id, listed]));
