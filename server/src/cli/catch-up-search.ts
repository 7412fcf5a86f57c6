import { markRefolded } from '../storage/catalog/search/refold-search.ts';
import { refreshSearch } from '../storage/catalog/search/refresh-search.ts';
import type { Context } from '../app/context.ts';
import { transaction } from '../storage/db/transaction.ts';

/** Far longer than a call may take: after an upgrade the whole catalogue may be left to index. */
const MAX_STATEMENT_MS = '1min';

/**
 * Indexes rows that were marked but not indexed, or by an earlier version: `longwave migrate` may have been interrupted
 * before it filled the search or was not run, or tables were changed by hand. Runs in the background.
 */
export function catchUpSearch({ pool, log }: Pick<Context, 'pool' | 'log'>): void {
  const caughtUp = transaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = '${MAX_STATEMENT_MS}'`);
    await markRefolded(client);
    await refreshSearch(client);
  });
  caughtUp.catch((err: unknown) =>
    log.warn({ err }, 'search may miss part of the catalogue; run longwave migrate to index the rest'),
  );
}
