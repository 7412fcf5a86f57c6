import { refreshSearch } from '../catalog/refresh-search.ts';
import type { Context } from '../context.ts';
import { transaction } from '../db/transaction.ts';

/** A call never may take so long; what a whole catalogue's upgrade left behind does. */
const LONGEST_STATEMENT = '1min';

/**
 * Makes findable what was marked and left: a migration marks what it concerns, and `longwave migrate` may have been cut off
 * before it came to fill the search; so may be who changed the tables by hand. Nothing waits for it.
 */
export function catchUpSearch({ pool, log }: Pick<Context, 'pool' | 'log'>): void {
  const caughtUp = transaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = '${LONGEST_STATEMENT}'`);
    await refreshSearch(client);
  });
  caughtUp.catch((err: unknown) =>
    log.warn({ err }, 'some of the catalogue may not be found by search; longwave migrate sees to it'),
  );
}
