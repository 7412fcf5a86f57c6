import { Client, type Pool } from 'pg';
import { importPlaces } from '../../src/import/sources/places/places.ts';
import { ensureGenres } from '../../src/storage/catalog/stations/station-groups.ts';
import { migrate } from '../../src/storage/db/migrate.ts';
import { createPool } from '../../src/storage/db/pool.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import type { World } from './world.ts';

export interface ScaleDatabase extends AsyncDisposable {
  name: string;
  url: string;
  world: World;
  pool: Pool;
}

const WHICH = 'DATABASE_URL is not set; say on which PostgreSQL to load, or run npm run services -- up';

function serverUrl(): URL {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error(WHICH);
  return new URL(url);
}

export function urlOf(name: string): string {
  const url = serverUrl();
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * A database for this bench, with the product's schema, places and genres; created if it does not exist. A crash may
 * lose the last part of a load, which is then loaded again, so that commits need not wait for the disk.
 */
export async function openScaleDatabase(name: string, world: World): Promise<ScaleDatabase> {
  await onServer(async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    await client.query(`ALTER DATABASE ${client.escapeIdentifier(name)} SET synchronous_commit = off`);
  });
  const url = urlOf(name);
  await migrate(url);
  const pool = createPool({
    databaseUrl: url,
    size: 2,
    applicationName: 'longwave bench scale',
    statementTimeoutMs: 3_600_000,
  });
  await furnish(pool);
  return { name, url, world, pool, [Symbol.asyncDispose]: () => pool.end() };
}

async function furnish(pool: Pool): Promise<void> {
  const { rows } = await pool.query('SELECT FROM genres LIMIT 1');
  if (rows.length > 0) return;
  await importPlaces(pool, () => undefined);
  await transaction(pool, ensureGenres);
}

export const dropScaleDatabase = (name: string): Promise<void> =>
  onServer(async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  });

async function onServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: serverUrl().href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
