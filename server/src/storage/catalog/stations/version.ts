import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { refreshSearch } from '../search/refresh-search.ts';

/** The channel on which servers are notified of catalogue changes; the payload is the new version. */
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
 * Identifies a state of the catalogue. The version alone is not enough: after restoring a backup, or a failover to a
 * server that lagged behind, the same number is assigned again to another state, at another instant.
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

/**
 * Bumps the version and notifies the servers when the transaction commits, and updates the search documents of changed
 * items. The row stays locked until then, so call this last in a transaction.
 */
export async function bumpCatalogue(client: Queryable): Promise<number> {
  await refreshSearch(client);
  return only(await moveVersion.run(client, [])).version;
}

function only<Row>([row]: readonly Row[]): Row {
  if (row) return row;
  throw new Error('table catalogue has lost its row; INSERT INTO catalogue (version) VALUES (1) restores it');
}
