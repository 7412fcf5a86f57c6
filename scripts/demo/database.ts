import { escapeIdentifier, type Pool } from 'pg';
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

/**
 * A database of the demo's own beside that of the settings: its made-up stations never come among real ones. Made when
 * it is not there.
 */
export async function useOwnDatabase(): Promise<void> {
  const shared = process.env['DATABASE_URL'] ?? '';
  const own = new URL(shared);
  own.pathname = `${own.pathname}_demo`;
  const name = own.pathname.slice(1);
  const pool = openDatabase();
  try {
    const { rowCount } = await pool.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await pool.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  } finally {
    await pool.end();
  }
  process.env['DATABASE_URL'] = own.href;
}
