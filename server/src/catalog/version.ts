import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { refreshSearch } from './refresh-search.ts';

/** Where servers hear that the catalogue has moved; the payload is its new version. */
export const CATALOGUE_CHANNEL = 'catalogue';

const findState = statement(
  'catalogue-state',
  { version: 'int8', changed_at: 'timestamptz' },
  'SELECT version, changed_at FROM catalogue',
);

const moveVersion = statement(
  'catalogue-bump',
  { version: 'int8' },
  `WITH moved AS (UPDATE catalogue SET version = version + 1, changed_at = now() RETURNING version)
   SELECT version FROM moved, pg_notify('${CATALOGUE_CHANNEL}', version::text)`,
);

/**
 * Which state the catalogue is in. The version alone does not tell: where a backup is restored, or another server takes
 * over that had not heard the last of it, the same number is given once more to something else, at another instant.
 */
export interface CatalogueState {
  readonly version: number;
  readonly changedAt: Temporal.Instant;
}

export async function catalogueState(db: Queryable): Promise<CatalogueState> {
  const { version, changed_at: changedAt } = only(await findState.run(db, []));
  return { version, changedAt };
}

export const isSameState = (one: CatalogueState, other: CatalogueState): boolean =>
  one.version === other.version && one.changedAt.equals(other.changedAt);

export const catalogueVersion = async (db: Queryable): Promise<number> => (await catalogueState(db)).version;

/**
 * Moves the version and tells the servers, who hear of it when the transaction commits, and makes what has changed
 * findable by its new words. The row stays locked until then, so this comes last in a transaction.
 */
export async function bumpCatalogue(client: Queryable): Promise<number> {
  await refreshSearch(client);
  return only(await moveVersion.run(client, [])).version;
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

function only<Row>([row]: readonly Row[]): Row {
  if (row) return row;
  throw new Error('table catalogue has lost its row; INSERT INTO catalogue (version) VALUES (1) restores it');
}
