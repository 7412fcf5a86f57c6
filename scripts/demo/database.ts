import type { Pool } from 'pg';
import { createPool } from '../../server/src/storage/db/pool.ts';

const MAX_STATEMENT_MS = 60_000;
const MAX_CONNECT_MS = 20_000;

/** The demo's database, from the settings. */
export const openDatabase = (): Pool =>
  createPool({
    databaseUrl: process.env['DATABASE_URL'] ?? '',
    size: 2,
    applicationName: 'longwave demo',
    statementTimeoutMs: MAX_STATEMENT_MS,
    connectTimeoutMs: MAX_CONNECT_MS,
  });

/** Postal codes come last but one in an import of places: if there are some, the places are imported. */
export async function hasPlaces(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM postal_codes LIMIT 1');
  return (rowCount ?? 0) > 0;
}
