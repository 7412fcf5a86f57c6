import type { Pool } from 'pg';
import { type NewAlias, saveAliases } from '../../storage/catalog/stations/aliases.ts';
import { inTransaction } from '../../storage/db/transaction.ts';
import { withImportSession } from '../pipeline/import-lock.ts';
import { type AliasPlan, planAliases, type PlanOptions } from './plan-aliases.ts';
import type { ListEntry } from '../../formats/station-list/read-list.ts';

const BATCH = 1000;

/** Plans again under the import lock and saves what is certain, all of it or nothing. Returns what was planned. */
export const applyAliases = (
  pool: Pool,
  entries: readonly ListEntry[],
  options: PlanOptions = {},
): Promise<AliasPlan> =>
  withImportSession(pool, (client) =>
    inTransaction(client, async () => {
      const plan = await planAliases(client, entries, options);
      const list = (...kinds: string[]): NewAlias[] =>
        plan.aliases.flatMap(({ what, scheme, id, station }) =>
          station && kinds.includes(what) ? [{ scheme, id, stationId: station.id }] : [],
        );
      const added = list('new');
      for (let from = 0; from < added.length; from += BATCH)
        await saveAliases(client, added.slice(from, from + BATCH));
      const replaced = list('replaced');
      for (let from = 0; from < replaced.length; from += BATCH)
        await saveAliases(client, replaced.slice(from, from + BATCH), { isReplacing: true });
      return plan;
    }),
  );
