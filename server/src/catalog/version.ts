import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { refreshSearch } from './refresh-search.ts';

/** Where servers hear that the catalogue has moved; the payload is its new version. */
export const CATALOGUE_CHANNEL = 'catalogue';

const findVersion = statement('catalogue-version', { version: 'int8' }, 'SELECT version FROM catalogue');

const moveVersion = statement(
  'catalogue-bump',
  { version: 'int8' },
  `WITH moved AS (UPDATE catalogue SET version = version + 1, changed_at = now() RETURNING version)
   SELECT version FROM moved, pg_notify('${CATALOGUE_CHANNEL}', version::text)`,
);

export const catalogueVersion = async (db: Queryable): Promise<number> => only(await findVersion.run(db, []));

/**
 * Moves the version and tells the servers, who hear of it when the transaction commits, and makes what has changed
 * findable by its new words. The row stays locked until then, so this comes last in a transaction.
 */
export async function bumpCatalogue(client: Queryable): Promise<number> {
  await refreshSearch(client);
  return only(await moveVersion.run(client, []));
}

/** An operator's edit and the move of the version it causes, together; false when the edit found nothing to change. */
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

function only([row]: readonly { version: number }[]): number {
  if (row) return row.version;
  throw new Error('table catalogue has lost its row; INSERT INTO catalogue (version) VALUES (1) restores it');
}
