import type { Pool } from 'pg';
import { createPool } from '../../server/src/db/pool.ts';

const LONGEST_STATEMENT_MS = 60_000;

/** The demo's database, once the settings say where it is. */
export const openDatabase = (): Pool =>
  createPool({
    databaseUrl: process.env['DATABASE_URL'] ?? '',
    size: 2,
    applicationName: 'longwave demo',
    statementTimeoutMs: LONGEST_STATEMENT_MS,
  });

/** Postal codes come last but one in an import of places: where there are some, the places are there. */
export async function hasPlaces(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM postal_codes LIMIT 1');
  return (rowCount ?? 0) > 0;
}
