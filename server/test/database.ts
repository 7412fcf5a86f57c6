import { hash, randomBytes } from 'node:crypto';
import { createReadStream, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { listMigrations, migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { REAL_STATIONS } from './real-data.ts';

const SRC = join(import.meta.dirname, '../src');

export interface TestDatabase extends AsyncDisposable {
  url: string;
  pool: Pool;
}

/** The server's address; tests run by `npm test`, which brings it up. */
export function serverUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('DATABASE_URL is not set; run the tests with npm test, which starts PostgreSQL');
  return url;
}

/** A database of this test file's own, cloned from a migrated template in some tens of milliseconds. */
export const testDatabase = async (): Promise<TestDatabase> => clone(await ensureTemplate());

/** The same with the world's places in it. */
export const testDatabaseWithPlaces = async (): Promise<TestDatabase> => clone(await ensurePlacesTemplate());

/**
 * A database with these rows, made once for each state of the schema and of the rows, and kept until that changes: for
 * tests that need millions of rows and only read. Returns its address.
 */
export async function filledDatabase(kind: string, sql: string): Promise<string> {
  const schema = await ensureTemplate();
  const name = await makeOnce(`${kind}_${digest([schema, sql])}`, schema, async (url) => {
    await onServer((client) => dropMade(client, `^${kind}_[0-9a-f]{16}$`));
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
    '{intake,import/radio-browser}/*.{ts,json}',
    'catalog/{genre-taxonomy.json,findable.ts,refresh-search.ts,search-*.ts}',
    'lib/search-words.ts',
  );
  const name = await makeOnce(`real_${digest([places, ...sources])}`, places, async (url) => {
    await onServer((client) => dropMade(client, '^real_[0-9a-f]{16}$'));
    await importRealStations(url);
    await onServer((client) => client.query('VACUUM ANALYZE'), url);
  });
  return urlOf(name);
}

async function importRealStations(databaseUrl: string): Promise<void> {
  const { importStations } = await import('../src/intake/import-stations.ts');
  const { readRadioBrowser } = await import('../src/import/radio-browser/read-file.ts');
  const pool = createPool({ databaseUrl, size: 4, applicationName: 'test', statementTimeoutMs: 120_000 });
  try {
    const items = readRadioBrowser(createReadStream(REAL_STATIONS));
    await importStations({ pool, source: 'radio-browser', items });
  } finally {
    await pool.end();
  }
}

async function dropMade(client: Client, pattern: string): Promise<void> {
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname ~ $1', [pattern]);
  for (const { datname } of rows) await drop(datname);
}

async function clone(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`));
  const url = urlOf(name);
  const pool = createPool({
    databaseUrl: url,
    size: 8,
    applicationName: 'test',
    statementTimeoutMs: 120_000,
  });
  return {
    url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop(name);
    },
  };
}

/** An autovacuum worker in the database may not be ended by us, so a drop that meets one is tried again, for a minute. */
async function drop(name: string, tries = 300): Promise<void> {
  try {
    await onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  } catch (error) {
    if (tries === 0) throw error;
    await sleep(200);
    await drop(name, tries - 1);
  }
}

/** Templates are named after what they are made of, so that each is made once for each state of the code. */
function ensureTemplate(): Promise<string> {
  const checksums = listMigrations().map(({ checksum }) => checksum);
  return makeOnce(`template_${digest(checksums)}`, 'template1', async (url) => {
    await migrate(url);
  });
}

async function ensurePlacesTemplate(): Promise<string> {
  const schema = await ensureTemplate();
  const sources = sourceTexts('import/places/*.ts');
  return makeOnce(`places_${digest([schema, ...sources])}`, schema, async (url) => {
    const { importPlaces } = await import('../src/import/places/places.ts');
    const pool = createPool({
      databaseUrl: url,
      size: 4,
      applicationName: 'test',
      statementTimeoutMs: 120_000,
    });
    await importPlaces(pool, () => undefined);
    await pool.end();
  });
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
    await client.query(`CREATE DATABASE ${name}_making TEMPLATE ${template}`);
    await fill(urlOf(`${name}_making`));
    await client.query(`ALTER DATABASE ${name}_making RENAME TO ${name}`);
  });
  return name;
}

async function onServer<T>(work: (client: Client) => Promise<T>, url = serverUrl()): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}
