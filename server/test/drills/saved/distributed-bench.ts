import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { MEMBER_TABLES } from '../../../src/storage/db/member-tables.ts';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { type TestDatabase, testDatabase } from '../../database/database.ts';
import { poolOf } from '../../database/database-server.ts';
import { CitusCluster, onNode } from '../../distributed/citus-cluster.ts';
import { madeMembers } from '../../distributed/made-members.ts';
import { fillPrivate } from '../../database/fill-private.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { type Ledger, readLedger } from './preset-ledger.ts';
import { PARTNER, Writers } from './preset-writers.ts';

export const PRESETS_EACH = 2;
const MEMBER_KEY = 'a key for drills, which protects nobody';
const STATIONS = 40;
/** A move takes ten seconds even where there is little to move. */
const SHARDS = '8';

/** A coordinator with workers, many accounts that nobody touches, a service, and radios that save. */
export class DistributedBench implements AsyncDisposable {
  readonly cluster: CitusCluster;
  readonly pool: Pool;
  readonly accounts: number;
  readonly #stations: readonly string[];
  #writers: Writers | undefined;
  #service: ServiceProcess | undefined;

  private constructor(cluster: CitusCluster, accounts: number, stations: readonly string[]) {
    this.cluster = cluster;
    this.accounts = accounts;
    this.#stations = stations;
    this.pool = poolOf(cluster.url, 2);
  }

  /** Filled as one PostgreSQL, before anything is spread. */
  static async open(accounts: number): Promise<DistributedBench> {
    await using opened = new AsyncDisposableStack();
    const cluster = opened.use(
      await CitusCluster.start({
        settings: {
          'citus.shard_count': SHARDS,
          'citus.recover_2pc_interval': '5s',
          synchronous_commit: 'on',
        },
      }),
    );
    const stations = (await fillPrivate(cluster.url, PARTNER)).slice(0, STATIONS);
    const bench = new DistributedBench(cluster, accounts, stations);
    opened.defer(() => bench.pool.end());
    // Rows that are right need no look at each foreign key.
    await onNode(cluster.url, async (client) => {
      await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
      for (const statement of madeMembers(accounts, PRESETS_EACH)) await client.query(statement);
    });
    await cluster.join();
    opened.move();
    return bench;
  }

  get writers(): Writers {
    if (!this.#writers) throw new Error('nobody serves yet');
    return this.#writers;
  }

  async serve(): Promise<void> {
    const settings = { MEMBER_KEY, SERVE_PROCESSES: '1' };
    const service = await startService(this.cluster.url, settings);
    this.#service = service;
    this.#writers = new Writers(() => service.origin, this.#stations, { count: 8 });
  }

  /** Bytes of a row of each table with its indexes, while they are whole. */
  async bytesPerRow(): Promise<string> {
    await this.pool.query('VACUUM ANALYZE accounts, folders, presets, devices');
    const { rows } = await this.pool.query<{ line: string }>(
      `SELECT string_agg(relname || ' ' || round(pg_total_relation_size(oid) / greatest(reltuples, 1)) || ' B × ' || reltuples, ', '
         ORDER BY relname) AS line
       FROM pg_class WHERE oid = ANY ('{accounts,folders,presets,devices}'::regclass[])`,
    );
    return rows[0]?.line ?? '';
  }

  /** Of the presets that nobody touches: how many, and a sum over all that each says. */
  async fingerprint(): Promise<string> {
    const { rows } = await this.pool.query<{ print: string }>(
      `SELECT count(*) || ' ' || sum(hashtextextended(
         concat_ws(' ', account_id, id, folder_id, position, kind, item_id, address, label), 0)) AS print
       FROM presets WHERE account_id <= $1`,
      [this.accounts],
    );
    return rows[0]?.print ?? '';
  }

  /** How many shards each worker has, by port. */
  async shards(): Promise<Map<number, number>> {
    const { rows } = await this.pool.query<{ port: number; shards: number }>(
      `SELECT nodeport AS port, count(shardid)::int AS shards FROM pg_dist_node LEFT JOIN citus_shards USING (nodename, nodeport)
       WHERE groupid <> 0 GROUP BY 1 ORDER BY 1`,
    );
    return new Map(rows.map(({ port, shards }) => [port, shards]));
  }

  /** Moves shards to where there are fewer, while they are written to. */
  async startRebalance(): Promise<void> {
    await onNode(this.cluster.url, (client) => client.query('SELECT citus_rebalance_start()'));
  }

  /** Until the last move is done. */
  async rebalanced(withinMs: number): Promise<string> {
    let state = '';
    const isOver = async (): Promise<boolean> => {
      const { rows } = await this.pool.query<{ state: string }>(
        'SELECT state::text AS state FROM pg_dist_background_job ORDER BY job_id DESC LIMIT 1',
      );
      state = rows[0]?.state ?? '';
      return ['finished', 'failed', 'cancelled'].includes(state);
    };
    await waitUntil('the end of the moves', isOver, withinMs);
    return state;
  }

  /** Until no node has a transaction that waits for the others' word. */
  async settled(withinMs: number): Promise<void> {
    const nodes = [this.cluster.coordinator, ...this.cluster.workers];
    const isSettled = async (): Promise<boolean> => {
      for (const { url } of nodes) if ((await countPrepared(url)) > 0) return false;
      return true;
    };
    await waitUntil('the end of prepared transactions', isSettled, withinMs);
  }

  /**
   * What radios were told against what is there, read on one PostgreSQL into which the rows are copied from all workers: there the
   * audit's questions go across keys, and a row that two shards have is refused.
   */
  async ledger(): Promise<Ledger> {
    await using copy = await testDatabase();
    await this.copyMembers(copy);
    return await readLedger(copy.pool, memberKeys(MEMBER_KEY), this.writers.told.values());
  }

  async copyMembers({ url, pool }: TestDatabase): Promise<void> {
    for (const table of ORDERED) {
      // A later migration has added others here.
      const { rows } = await pool.query<{ columns: string }>(
        `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [table],
      );
      const columns = rows[0]?.columns ?? '';
      const account = table === 'accounts' ? 'id' : 'account_id';
      const where = table === 'device_claims' ? 'true' : `${account} > ${this.accounts}`;
      const from = psql(this.cluster.url, `COPY (SELECT ${columns} FROM ${table} WHERE ${where}) TO STDOUT`);
      const to = psql(url, `COPY ${table} (${columns}) FROM STDIN`);
      await Promise.all([pipeline(from.stdout, to.stdin), ended(from), ended(to)]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]();
    await this.pool.end();
    await this.cluster[Symbol.asyncDispose]();
  }
}

const countPrepared = (url: string): Promise<number> =>
  onNode(url, async (client) => (await client.query('SELECT FROM pg_prepared_xacts')).rowCount ?? 0);

/** Those first that others refer to, as they are named. */
const ORDERED = Object.keys(MEMBER_TABLES);

function psql(url: string, command: string): ChildProcessByStdio<Writable, Readable, null> {
  const args = ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', '--command', command, url];
  return spawn('psql', args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function ended(child: ChildProcess): Promise<void> {
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`psql ended with ${status}`);
}
