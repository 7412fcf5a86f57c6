import { hash } from 'node:crypto';
import { createReadStream, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { listMigrations, migrate } from '../../src/storage/db/migrate.ts';
import { dropDatabase, onServer, poolOf, urlOf, whenUnused } from './database-server.ts';
import { REAL_STATIONS } from '../content/real-data.ts';

const SRC = join(import.meta.dirname, '../../src');
export const SEED_FILE = join(import.meta.dirname, '../seed/stations.jsonl');

// Each is named after what it is made of, so that it is made once for each state of the code.

const FROM_ONE = "SELECT setval('stations_id_seq', 1, false), setval('shows_id_seq', 1, false)";

export function ensureTemplate(): Promise<string> {
  const checksums = listMigrations().map(({ checksum }) => checksum);
  return makeOnce(`template_${digest([FROM_ONE, ...checksums])}`, 'template1', async (url) => {
    await migrate(url);
    // Tests name stations and shows by small numbers, which are easier to read than those that a service gives.
    await onServer((client) => client.query(FROM_ONE), url);
  });
}

export async function ensurePlacesTemplate(): Promise<string> {
  const schema = await ensureTemplate();
  const sources = sourceTexts('import/sources/places/*.ts');
  return makeOnce(`places_${digest([schema, ...sources])}`, schema, async (url) => {
    const { importPlaces } = await import('../../src/import/sources/places/places.ts');
    const pool = poolOf(url, 4);
    await importPlaces(pool, () => undefined);
    await pool.end();
  });
}

/** Made anew each day: an import writes down when it was. */
export async function ensureSeededTemplate(): Promise<string> {
  const places = await ensurePlacesTemplate();
  const sources = sourceTexts('{core/cleaning,import,storage,formats,lib}/**/*.{ts,json}');
  const today = Temporal.Now.plainDateISO('UTC').toString();
  const made = digest([places, today, readFileSync(SEED_FILE, 'utf8'), ...sources]);
  return makeOnce(`seeded_${made}`, places, async (url) => {
    // Another test may be about to clone the one that was in use until now.
    await dropMade('seeded', { keeping: 1 });
    await importFile(url, 'seed', SEED_FILE);
  });
}

/**
 * A database with these rows, made once for each state of the schema and of the rows, and kept until that changes: for
 * tests that need millions of rows and only read. Returns its address.
 */
export async function filledDatabase(kind: string, sql: string): Promise<string> {
  const schema = await ensureTemplate();
  const name = await makeOnce(`${kind}_${digest([schema, sql])}`, schema, async (url) => {
    await dropMade(kind);
    await onServer(async (client) => {
      await client.query(sql);
      await client.query('VACUUM ANALYZE');
    }, url);
  });
  return urlOf(name);
}

/**
 * The real stations, imported as an operator would and kept until the code that imports changes: a minute the first time.
 * For tests that only read; several share it. Returns its address.
 */
export async function realDatabase(): Promise<string> {
  const places = await ensurePlacesTemplate();
  const sources = sourceTexts(
    '{core/cleaning,import/networks,import/pipeline,import/sources/radio-browser}/*.{ts,json}',
    'storage/catalog/{stations/{genre-taxonomy.json,findable.ts},search/*.ts}',
    'lib/search-words.ts',
  );
  const name = await makeOnce(`real_${digest([places, ...sources])}`, places, async (url) => {
    await dropMade('real');
    await importFile(url, 'radio-browser', REAL_STATIONS);
    await onServer((client) => client.query('VACUUM ANALYZE'), url);
  });
  return urlOf(name);
}

async function importFile(databaseUrl: string, source: string, file: string): Promise<void> {
  const { importStations } = await import('../../src/import/pipeline/import-stations.ts');
  const { readRadioBrowser } = await import('../../src/import/sources/radio-browser/record.ts');
  const pool = poolOf(databaseUrl, 4);
  try {
    await importStations({ pool, source, items: readRadioBrowser(createReadStream(file)) });
  } finally {
    await pool.end();
  }
}

/** All of a kind but the newest ones. */
async function dropMade(kind: string, { keeping = 0 } = {}): Promise<void> {
  const list = async (client: Client): Promise<string[]> => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE datname ~ $1 ORDER BY oid DESC OFFSET $2',
      [`^${kind}_[0-9a-f]{16}$`, keeping],
    );
    return rows.map(({ datname }) => datname);
  };
  for (const name of await onServer(list)) await dropDatabase(name);
}

const sourceTexts = (...patterns: string[]): string[] =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: SRC }))
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .map((file) => readFileSync(join(SRC, file), 'utf8'));

const digest = (texts: string[]): string => hash('sha256', texts.join('\n')).slice(0, 16);

async function makeOnce(
  name: string,
  template: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  await onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}_making`);
    await whenUnused(client, `CREATE DATABASE ${name}_making TEMPLATE ${template}`);
    await fill(urlOf(`${name}_making`));
    await whenUnused(client, `ALTER DATABASE ${name}_making RENAME TO ${name}`);
  });
  return name;
}
