import { once } from 'node:events';
import type { Pool } from 'pg';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { createPool } from '../../../src/storage/db/pool.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { fillPrivate } from '../../database/fill-private.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../database/private-postgres.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { type Ledger, readLedger } from './preset-ledger.ts';
import { PARTNER, Writers } from './preset-writers.ts';

/** The rest of what a device saves are addresses. */
const STATIONS = 40;
/** For saves one after another, on a machine that is busy with other tests. */
const SAVED_MS = 60_000;
const END_OTHERS = `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename = current_user AND pid <> pg_backend_pid()`;
const MEMBER_KEY = 'a key for drills, which protects nobody';

export type Victim = 'server' | 'PostgreSQL';

/** The service, its database and its writers, of which two can be killed. */
export class WriteBench implements AsyncDisposable {
  readonly postgres: PrivatePostgres;
  readonly writers: Writers;
  /** Saves one thing at a time, all of them new. */
  readonly #single: Writers;
  #service: ServiceProcess;

  private constructor(postgres: PrivatePostgres, service: ServiceProcess, stations: readonly string[]) {
    this.postgres = postgres;
    this.#service = service;
    this.writers = new Writers(() => this.#service.origin, stations);
    this.#single = new Writers(() => this.#service.origin, stations, { count: 1, devices: 1 });
  }

  get service(): ServiceProcess {
    return this.#service;
  }

  static async open(diskMegabytes?: number): Promise<WriteBench> {
    await using opened = new AsyncDisposableStack();
    const postgres = opened.use(await startPrivatePostgres(diskMegabytes));
    const stations = (await fillPrivate(postgres.url, PARTNER)).slice(0, STATIONS);
    const bench = new WriteBench(
      postgres,
      await startService(postgres.url, { MEMBER_KEY, DATABASE_WAIT_FACTOR: '1' }),
      stations,
    );
    opened.move();
    return bench;
  }

  /** Kills it and brings it back; the service has to find its way back to its database alone. */
  async kill(victim: Victim): Promise<void> {
    if (victim === 'PostgreSQL') {
      await this.postgres.kill();
      await this.postgres.restart();
      return;
    }
    this.#service.process.kill('SIGKILL');
    await once(this.#service.process, 'exit');
    this.#service = await startService(this.postgres.url, { MEMBER_KEY, DATABASE_WAIT_FACTOR: '1' });
  }

  ledger(): Promise<Ledger> {
    return this.#inDatabase((pool) => readLedger(pool, memberKeys(MEMBER_KEY), this.writers.told.values()));
  }

  /** A setting as the service's own connections have it. */
  setting(name: string): Promise<string> {
    return this.#inDatabase(async (pool) => {
      const { rows } = await pool.query('SELECT current_setting($1) AS value', [name]);
      return rows[0].value;
    });
  }

  /** Saves one after another, and how often PostgreSQL synced its log meanwhile. */
  async syncsOf(count: number): Promise<{ saves: number; syncs: number }> {
    const { acknowledged } = this.#single;
    const before = await this.#syncs();
    await this.#single.during(() => this.#single.healed(SAVED_MS, count));
    return { saves: this.#single.acknowledged - acknowledged, syncs: (await this.#syncs()) - before };
  }

  /** Each process of PostgreSQL counts for itself, and tells at the latest when it ends. */
  #syncs(): Promise<number> {
    return this.#inDatabase(async (pool) => {
      const { rows: ended } = await pool.query<{ pid: number }>(END_OTHERS);
      const pids = ended.map(({ pid }) => pid);
      await waitUntil("the end of the service's connections", async () => {
        const { rowCount } = await pool.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids]);
        return rowCount === 0;
      });
      const { rows } = await pool.query('SELECT wal_sync::int AS syncs FROM pg_stat_wal');
      return rows[0].syncs;
    });
  }

  async #inDatabase<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const { url: databaseUrl } = this.postgres;
    const pool = createPool({ databaseUrl, size: 1, applicationName: 'drill', statementTimeoutMs: 60_000 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await this.postgres[Symbol.asyncDispose]();
  }
}
