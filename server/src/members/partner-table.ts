import type { Pool } from 'pg';
import type { Log } from '../lib/log.ts';
import { type PartnerRow, listPartners } from './partners.ts';

const REFRESH_MS = 30_000;

/** The active partners in memory, since every call names one; an edit is seen within half a minute. */
export interface PartnerTable extends Disposable {
  find(id: string): PartnerRow | undefined;
  /** Reads them now. */
  refresh(): Promise<void>;
}

/** While the database is away the partners are those last seen. */
export async function openPartnerTable(pool: Pool, log: Log): Promise<PartnerTable> {
  let rows = await read(pool);
  const refresh = async (): Promise<void> => {
    try {
      rows = await read(pool);
    } catch (error) {
      log.warn({ err: String(error) }, 'partners could not be read again; the old ones stay');
    }
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS);
  timer.unref();
  return { find: (id) => rows.get(id), refresh, [Symbol.dispose]: () => clearInterval(timer) };
}

/** A disabled partner is as good as an unknown one. */
async function read(pool: Pool): Promise<ReadonlyMap<string, PartnerRow>> {
  const rows = await listPartners(pool);
  return new Map(rows.filter(({ state }) => state === 'active').map((row) => [row.id, row]));
}
