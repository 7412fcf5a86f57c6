import type { Pool, PoolClient } from 'pg';
import { markRefolded } from '../storage/catalog/search/refold-search.ts';
import { refreshSearchInSteps } from '../storage/catalog/search/refresh-search.ts';
import type { Context } from '../app/context.ts';
import { transaction } from '../storage/db/transaction.ts';

/** Far longer than a call may take: after an upgrade the whole catalogue may be left to index. */
const MAX_STATEMENT = '1min';

/** Indexes what is marked and what an earlier version indexed otherwise, while others go on writing. */
export async function indexMarked(pool: Pool, maxStatement?: string): Promise<void> {
  const inTransaction = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
    transaction(pool, async (client) => {
      if (maxStatement) await client.query(`SET LOCAL statement_timeout = '${maxStatement}'`);
      return await work(client);
    });
  await inTransaction(markRefolded);
  await refreshSearchInSteps(inTransaction);
}

/**
 * Indexes rows that were marked but not indexed, or by an earlier version: `longwave migrate` may have been interrupted
 * before it filled the search or was not run, or tables were changed by hand. Runs in the background.
 */
export function catchUpSearch({ pool, log }: Pick<Context, 'pool' | 'log'>): void {
  indexMarked(pool, MAX_STATEMENT).catch((err: unknown) =>
    log.warn({ err }, 'search may miss part of the catalogue; run longwave migrate to index the rest'),
  );
}
