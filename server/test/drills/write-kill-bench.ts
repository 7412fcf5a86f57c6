import { once } from 'node:events';
import type { Pool } from 'pg';
import { createPool } from '../../src/storage/db/pool.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { fillPrivate } from '../fill-private.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import { type ServiceProcess, startService } from '../service-process.ts';
import { type Ledger, readLedger } from './preset-ledger.ts';
import { PARTNER, Writers } from './preset-writers.ts';

/** The rest of what a device saves are addresses. */
const STATIONS = 40;
const MEMBER_KEY = 'a key for drills, which protects nobody';

export type Victim = 'server' | 'PostgreSQL';

/** The service, its database and its writers, of which two can be killed. */
export class WriteBench implements AsyncDisposable {
  readonly postgres: PrivatePostgres;
  readonly writers: Writers;
  #service: ServiceProcess;

  private constructor(postgres: PrivatePostgres, service: ServiceProcess, stations: readonly string[]) {
    this.postgres = postgres;
    this.#service = service;
    this.writers = new Writers(() => this.#service.origin, stations);
  }

  static async open(): Promise<WriteBench> {
    await using opened = new AsyncDisposableStack();
    const postgres = opened.use(await startPrivatePostgres());
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
