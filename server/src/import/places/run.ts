import type { PoolClient } from 'pg';
import { bumpCatalogue } from '../../catalog/version.ts';
import { inTransaction } from '../../db/transaction.ts';

const SOURCE = 'places';

/** Left unfinished by an import that is killed, which the next one thereby learns. */
export async function startRun(client: PoolClient): Promise<void> {
  await client.query('INSERT INTO import_runs (source) VALUES ($1)', [SOURCE]);
}

/**
 * Tells the servers when something changed: in this run, or in an earlier one that was killed before it could.
 * Every unfinished run is a dead one, since the lock of the session is held.
 */
export async function finishRun(client: PoolClient, summary: object, isChanged: boolean): Promise<void> {
  await inTransaction(client, async () => {
    const { rowCount } = await client.query(
      'UPDATE import_runs SET finished_at = now(), summary = $2 WHERE source = $1 AND finished_at IS NULL',
      [SOURCE, JSON.stringify(summary)],
    );
    if (isChanged || (rowCount ?? 0) > 1) await bumpCatalogue(client);
  });
}
