import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { listMigrations, migrate } from '../../../src/storage/db/migrate.ts';
import { dropDatabase, onServer, poolOf, urlOf } from '../../database/database-server.ts';
import { madeMembers } from '../../distributed/made-members.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
/** The long form, for a machine that has nothing else to do: MIGRATED_PRESETS=1000000 CALLS_PER_SECOND=300. */
const PRESETS = Number(process.env['MIGRATED_PRESETS'] ?? 50_000);
const RATE = Number(process.env['CALLS_PER_SECOND'] ?? 100);
const PRESETS_EACH = 10;
const ACCOUNTS = PRESETS / PRESETS_EACH;
const STATIONS = Math.min(PRESETS, 100_000);
/** The first that may meet a service that goes on: the one before it gives every station another number. */
const FIRST = '0032';
/** A migration gives up a lock that it has waited 150 ms for; statements behind it wait as long, and on a busy machine for the processor. */
const MAX_STALL_MS = process.env['MIGRATED_PRESETS'] ? 200 : 2000;

const STATION_ROWS = `
  INSERT INTO stations (id, name, name_key) SELECT 20480000 + n, 'Station ' || n, 'station ' || n FROM generate_series(1, ${STATIONS}) n;
  INSERT INTO streams (station_id, address, address_key, format)
    SELECT 20480000 + n, 'http://stream.example.net/' || n, gen_random_uuid(), 'mp3' FROM generate_series(1, ${STATIONS}) n;`;

interface OldDatabase extends AsyncDisposable {
  url: string;
  pool: Pool;
}

async function oldDatabase(): Promise<OldDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name}`));
  const url = urlOf(name);
  await migrate(
    url,
    listMigrations().filter((migration) => migration.name < FIRST),
  );
  await onServer(async (client) => {
    for (const statement of [STATION_ROWS, ...madeMembers(ACCOUNTS, PRESETS_EACH)])
      await client.query(statement);
    await client.query('VACUUM ANALYZE');
  }, url);
  const pool = poolOf(url, 16);
  const dispose = async (): Promise<void> => {
    await pool.end();
    await dropDatabase(name);
  };
  return { url, pool, [Symbol.asyncDispose]: dispose };
}

/** What servers of the version before go on with: presets are read and saved, stations read and renewed. */
const CALLS: { text: string; values: (number: number) => unknown[] }[] = [
  {
    text: 'SELECT id, position, kind, item_id, label FROM presets WHERE account_id = $1 ORDER BY position',
    values: (number) => [1 + (number % ACCOUNTS)],
  },
  {
    text: `WITH place AS (
        UPDATE folders SET last_position = last_position + 1 WHERE account_id = $1 AND is_default RETURNING id, last_position)
      INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, label)
      SELECT $1, $2, id, last_position, 's', 20480001, 'saved meanwhile' FROM place`,
    values: (number) => [
      1 + (number % ACCOUNTS),
      (10 ** 9 + number) * 1024 + ((1 + (number % ACCOUNTS)) % 1024),
    ],
  },
  {
    text: `SELECT s.id, s.name, t.address FROM stations s JOIN streams t ON t.station_id = s.id WHERE s.id = $1`,
    values: (number) => [20_480_001 + (number % STATIONS)],
  },
  {
    text: 'UPDATE stations SET popularity = popularity + 1 WHERE id = $1',
    values: (number) => [20_480_001 + (number % STATIONS)],
  },
];

/** Statements at a steady rate, whatever becomes of them. */
class Callers {
  readonly failures: string[] = [];
  readonly tookMs: number[] = [];
  saved = 0;
  readonly #pool: Pool;
  #sent = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async during(work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    const underWay = new Set<Promise<void>>();
    const timer = setInterval(() => {
      const due = ((performance.now() - started) * RATE) / 1000;
      while (this.#sent < due) {
        const one = this.#call(this.#sent++).finally(() => underWay.delete(one));
        underWay.add(one);
      }
    }, 5);
    try {
      await work();
    } finally {
      clearInterval(timer);
      await Promise.all(underWay);
    }
  }

  async #call(number: number): Promise<void> {
    const { text, values } = CALLS[number % CALLS.length]!;
    const started = performance.now();
    try {
      await this.#pool.query(text, values(number));
      if (text.includes('INSERT')) this.saved += 1;
    } catch (error) {
      this.failures.push(String(error));
    }
    this.tookMs.push(performance.now() - started);
  }
}

test('an upgrade over full tables holds nobody up while servers of the version before go on', async (t) => {
  await using database = await oldDatabase();
  const callers = new Callers(database.pool);
  const pending = listMigrations().filter(({ name }) => name >= FIRST);
  let tookMs = 0;
  await callers.during(async () => {
    const started = performance.now();
    const env = { ...process.env, DATABASE_URL: database.url };
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'migrate'], { env });
    tookMs = performance.now() - started;
    for (const { name } of pending) assert.match(stdout, new RegExp(`^applied ${name}$`, 'm'));
  });
  const { rows } = await database.pool.query<{ saved: number }>(
    "SELECT count(*)::int AS saved FROM presets WHERE label = 'saved meanwhile'",
  );
  const slowest = Math.max(...callers.tookMs);
  t.diagnostic(
    `${pending.length} migrations over ${PRESETS} presets and ${STATIONS} stations in ${(tookMs / 1000).toFixed(1)} s; ` +
      `${callers.tookMs.length} statements meanwhile, ${callers.failures.length} failed, the slowest took ${Math.round(slowest)} ms`,
  );
  assert.deepEqual(callers.failures.slice(0, 3), []);
  assert.equal(rows[0]?.saved, callers.saved, 'every preset that was saved meanwhile is there');
  assert.ok(callers.saved > 5, 'something was saved meanwhile');
  assert.ok(slowest < MAX_STALL_MS, `a statement waited ${Math.round(slowest)} ms`);
});
