import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { createPool } from '../src/storage/db/pool.ts';
import { distributeMembers } from '../src/storage/db/distribute.ts';
import type { Statement } from '../src/storage/db/statement.ts';
import { testDatabase } from '../test/database/database.ts';
import { CitusCluster, onNode } from '../test/distributed/citus-cluster.ts';
import { madeMembers } from '../test/distributed/made-members.ts';
import { loadStatements } from '../test/database/statements/load-statements.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CALLS = 200;
const PRESETS_EACH = 10;

/** A row by its primary key: what the others are compared with. */
const LOOK_UP = 'account-look';

const folderOf = (account: number): number => account * 1024 + (account % 1024);
const serialOf = (account: number): Buffer => hash('sha256', String(account), 'buffer');
const network = Buffer.alloc(32, 7);

/** What a radio's call and a sign-in ask, by the account. Every call is another: `n` counts them. */
const HOT: Readonly<Record<string, (account: number, n: number) => readonly unknown[]>> = {
  [LOOK_UP]: (account) => [account],
  'device-find': (account) => ['made', [serialOf(account)]],
  'folders-of-account': (account) => [account],
  'presets-of-folders': (account) => [account, [folderOf(account)], 500],
  'username-account-id': (account) => [`u${account}`],
  'login-secrets': (account) => [account, [network], '2026-01-02T00:00:00Z'],
  'preset-add': (account, n) => [account, null, 'u', null, `http://stream.example.net/${n}`, 'Town FM'],
  'account-lock-to-save': (account) => [account],
  'preset-remove': (account) => [account, folderOf(account), 's', 1 + ((account + 1) % 100_000), null],
};

/** One PostgreSQL, or a coordinator with its workers. */
interface Side {
  name: string;
  pool: Pool;
  /** Of every process that works for this database, on all its servers. */
  cpuMicros(): Promise<number>;
}

/**
 * `npm run bench -- members [--accounts 100000] [--citus]`: what the members' hot statements cost PostgreSQL; with `--citus`, where
 * PostgreSQL has that extension, on a coordinator and two workers as well, by turns.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { accounts: { type: 'string', default: '100000' }, citus: { type: 'boolean', default: false } },
  });
  const accounts = Number(values.accounts);
  await using opened = new AsyncDisposableStack();
  const sides = [opened.use(await openPlain(accounts))];
  if (values.citus) sides.push(opened.use(await openCitus(accounts)));
  const all = new Map((await loadStatements()).map((statement) => [statement.name, statement]));
  const micros = new Map(Object.keys(HOT).map((name) => [name, sides.map((): number[] => [])]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(`round ${round} of ${ROUNDS}\r`);
    for (const [name, kept] of micros)
      for (const [index, side] of sides.entries()) {
        const statement = all.get(name);
        if (!statement) throw new Error(`there is no statement ${name}`);
        const taken = await measure(side, statement, accounts, round);
        // The first prepares the statements and warms the caches.
        if (round > 0) kept[index]?.push(taken);
      }
  }
  print(micros, sides);
}

async function measure(side: Side, statement: Statement, accounts: number, round: number): Promise<number> {
  const paramsOf = HOT[statement.name];
  if (!paramsOf) throw new Error(`nobody says how ${statement.name} is asked`);
  const before = await side.cpuMicros();
  for (let call = 0; call < CALLS; call += 1) {
    const n = round * CALLS + call;
    await statement.run(side.pool, paramsOf(1 + ((n * 7919) % accounts), n));
  }
  return ((await side.cpuMicros()) - before) / CALLS;
}

async function openPlain(accounts: number): Promise<Side & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await testDatabase());
  await fill(database.pool, accounts);
  const pool = opened.adopt(poolFor(database.url), (each) => each.end());
  const kept = opened.move();
  return {
    name: 'one PostgreSQL',
    pool,
    cpuMicros: () => cpuOf([database.pool]),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function openCitus(accounts: number): Promise<Side & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const cluster = opened.use(await CitusCluster.start());
  const { migrate } = await import('../src/storage/db/migrate.ts');
  await migrate(cluster.url);
  await cluster.join();
  await distributeMembers(cluster.url);
  const urls = [cluster.url, ...cluster.workers.map(({ url }) => url)];
  const pools = urls.map((url) => opened.adopt(poolFor(url, 600_000), (each) => each.end()));
  const [coordinator] = pools;
  if (!coordinator) throw new Error('there is no coordinator');
  await fill(coordinator, accounts);
  for (const url of urls) await onNode(url, (client) => client.query('VACUUM ANALYZE'));
  const pool = opened.adopt(poolFor(cluster.url), (each) => each.end());
  const kept = opened.move();
  return {
    name: 'Citus, all nodes',
    pool,
    cpuMicros: () => cpuOf(pools),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const poolFor = (databaseUrl: string, statementTimeoutMs = 60_000): Pool =>
  createPool({ databaseUrl, size: 1, applicationName: 'longwave bench', statementTimeoutMs });

async function fill(pool: Pool, accounts: number): Promise<void> {
  for (const statement of madeMembers(accounts, PRESETS_EACH)) await pool.query(statement);
  await pool.query(
    `INSERT INTO usernames (username_key, account_id) SELECT 'u' || n, n FROM generate_series(1, ${accounts}) n`,
  );
  await pool.query('VACUUM ANALYZE');
}

/** Those of this machine; who asks for it is among them, and takes as much each time. */
async function cpuOf(pools: readonly Pool[]): Promise<number> {
  let micros = 0;
  for (const pool of pools) {
    const { rows } = await pool.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    for (const { pid } of rows) micros += scheduledMicros(pid);
  }
  return micros;
}

function scheduledMicros(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

function print(micros: ReadonlyMap<string, number[][]>, sides: readonly Side[]): void {
  console.log(
    `CPU microseconds of PostgreSQL per statement, one connection, least of ${ROUNDS} rounds of ${CALLS} by turns\n`,
  );
  const more = sides.slice(1).flatMap(({ name }) => [name, 'ratio']);
  console.log(`| ${['statement', sides[0]?.name, 'of a key look-up', ...more].join(' | ')} |`);
  console.log(`|${'---|'.repeat(3 + more.length)}`);
  const least = (name: string, side: number): number => Math.min(...(micros.get(name)?.[side] ?? []));
  for (const name of micros.keys()) {
    const plain = least(name, 0);
    const others = sides.slice(1).flatMap((_, index) => {
      const other = least(name, index + 1);
      return [other.toFixed(0), `${(other / plain).toFixed(1)} ×`];
    });
    const ofLookUp = `${(plain / least(LOOK_UP, 0)).toFixed(2)} ×`;
    console.log(`| ${[`\`${name}\``, plain.toFixed(0), ofLookUp, ...others].join(' | ')} |`);
  }
}
