import { fork, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { createPool, type Queryable } from '../src/storage/db/pool.ts';
import { searchWords } from '../src/lib/search-words.ts';
import { findItems } from '../src/core/search/find.ts';
import { ENOUGH } from '../src/core/search/queries.ts';
import { realDatabase } from '../test/database/made-databases.ts';
import { KINDS, listKnownItems } from '../test/search-quality/known-items.ts';

const ROUNDS = 7;
const SAMPLED = 400;
const COMMONEST = 20;
/** Queries sent through HTTP and by pgbench alike; each round has its own, since the service would cache them. */
const COMPARED = 300;
/** Queries before counting, until the runtime has compiled everything. */
const WARM_UP = 4000;
const PGBENCH = process.env['PGBENCH'] ?? '/usr/lib/postgresql/15/bin/pgbench';

/**
 * Single words against the real stations: PostgreSQL's CPU time for each. And names as listeners type them: the whole
 * service compared with pgbench sending the very statements that the service sends for them, one connection each.
 */
export async function run(): Promise<void> {
  const databaseUrl = await realDatabase();
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
  try {
    await timeWords(pool, [...(await sampleWords(pool)), ...(await commonestWords(pool))]);
    await compare(databaseUrl, pool, await sampleQueries(pool));
  } finally {
    await pool.end();
  }
}

/** Words of the vocabulary, chosen by a hash. */
async function sampleWords(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query('SELECT word FROM search_words ORDER BY md5(word) LIMIT $1', [SAMPLED]);
  return rows.map(({ word }) => word);
}

/** What listeners type when they have a station in mind: names, mistyped, with the town, or in part. */
async function sampleQueries(pool: Pool): Promise<string[]> {
  const count = WARM_UP + ROUNDS * COMPARED;
  const items = await listKnownItems(pool, Math.ceil(count / KINDS.length));
  const inTurn = items.map(({ query }) => ({ query, turn: hash('md5', query) }));
  return inTurn.toSorted((a, b) => (a.turn < b.turn ? -1 : 1)).map(({ query }) => query);
}

/** The commonest of all is the last. */
async function commonestWords(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT word, ndoc FROM ts_stat('SELECT words FROM search_documents') WHERE word !~ '=' ORDER BY ndoc DESC LIMIT $1`,
    [COMMONEST],
  );
  console.log(`the commonest word is '${rows[0].word}', in ${rows[0].ndoc} documents\n`);
  return rows.map(({ word }) => word).toReversed();
}

/** CPU time of the connection's own process, in microseconds; other processes do not count. */
function cpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
}

async function timeWords(pool: Pool, words: readonly string[]): Promise<void> {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const { pid } = rows[0];
  const cpu = new Map<string, number[]>();
  const wall: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const word of words) {
      const [startedAt, cpuBefore] = [performance.now(), cpuOf(pid)];
      await findItems(client, 's', { words: [word], fields: [] }, ENOUGH);
      if (round < 0) continue;
      wall.push((performance.now() - startedAt) * 1000);
      cpu.set(word, [...(cpu.get(word) ?? []), cpuOf(pid) - cpuBefore]);
    }
  }
  client.release();
  const all = [...cpu.values()].flat();
  const medians = [...cpu].map(([word, times]) => ({ word, micros: at(times, 0.5) }));
  const worst = medians.toSorted((a, b) => b.micros - a.micros).slice(0, 3);
  console.log(
    `${words.length} single words, ${ROUNDS} rounds, one connection; all statements that a word takes\n`,
  );
  console.log('| microseconds | p50 | p95 | p99 | max |\n|---|---|---|---|---|');
  console.log(
    `| CPU of PostgreSQL | ${[0.5, 0.95, 0.99, 1].map((share) => Math.round(at(all, share))).join(' | ')} |`,
  );
  console.log(
    `| round trip | ${[0.5, 0.95, 0.99, 1].map((share) => Math.round(at(wall, share))).join(' | ')} |`,
  );
  const commonest = cpu.get(words.at(-1) ?? '') ?? [];
  console.log(
    `\n'${words.at(-1)}': ${Math.round(at(commonest, 0.5))} µs of CPU (median), ${Math.round(at(commonest, 1))} at most`,
  );
  console.log(
    `most expensive words: ${worst.map(({ word, micros }) => `${word} ${Math.round(micros)} µs`).join(', ')}\n`,
  );
}

function at(values: readonly number[], share: number): number {
  const rising = values.toSorted((a, b) => a - b);
  return rising[Math.min(rising.length - 1, Math.floor(rising.length * share))] ?? 0;
}

/** Searches per second of one round, and the CPU time per search of the service and of its connection to PostgreSQL. */
interface Round {
  service: number;
  pgbench: number;
  serviceCpuMicros: number;
  databaseCpuMicros: number;
}

async function compare(databaseUrl: string, pool: Pool, words: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-'));
  await using service = await startService(databaseUrl);
  const client = await pool.connect();
  try {
    await askService(service, words.slice(0, WARM_UP));
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = words.slice(WARM_UP + round * COMPARED, WARM_UP + (round + 1) * COMPARED);
      const script = await writeScript(folder, client, own);
      const asked = await askService(service, own);
      rounds.push({ ...asked, pgbench: askPgbench(databaseUrl, folder, script) * own.length });
    }
    print(rounds);
  } finally {
    client.release();
    rmSync(folder, { recursive: true });
  }
}

function print(rounds: readonly Round[]): void {
  const median = (of: keyof Round): number =>
    at(
      rounds.map((round) => round[of]),
      0.5,
    );
  const ratios = rounds.map(({ service, pgbench }) => service / pgbench);
  const [low, high] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
  console.log(
    `${COMPARED} queries a round, each new to the service; medians of ${ROUNDS} rounds, in turn, one connection\n`,
  );
  console.log('| | searches per second |\n|---|---|');
  console.log(`| pgbench, the same statements | ${median('pgbench').toFixed(0)} |`);
  console.log(`| the service, by HTTP | ${median('service').toFixed(0)} |`);
  console.log(`\nratio of the rates ${at(ratios, 0.5).toFixed(2)} (${low} to ${high})`);
  const [database, own] = [median('databaseCpuMicros'), median('serviceCpuMicros')];
  const share = (database / (database + own)).toFixed(2);
  console.log(
    `CPU µs per search: PostgreSQL ${database.toFixed(0)}, the service ${own.toFixed(0)}; PostgreSQL's share ${share}`,
  );
}

interface Script {
  file: string;
  variables: readonly string[];
}

/** Records what the service sends for each query, with the parameters as variables of pgbench. */
async function writeScript(folder: string, client: PoolClient, queries: readonly string[]): Promise<Script> {
  const variables: string[] = [];
  const lines: string[] = [];
  const db: Queryable = {
    query: <Row extends QueryResultRow>(config: QueryConfig) => {
      const names = (config.values ?? []).map((value) => {
        const text = Array.isArray(value) ? `{${value.join(',')}}` : String(value);
        // pgbench accepts no variable without a value.
        if (text === '') return "''";
        variables.push(`v${variables.length}=${text}`);
        return `:v${variables.length - 1}`;
      });
      const text = config.text.replaceAll(/\$(\d+)/g, (_whole, number) => names[Number(number) - 1] ?? '');
      lines.push(`${text.replaceAll(/\s+/g, ' ')};`);
      return client.query<Row>(config);
    },
  };
  for (const query of queries)
    await findItems(db, 'sp', { words: searchWords(query).slice(0, 10), fields: [] }, ENOUGH);
  const file = join(folder, 'search.sql');
  writeFileSync(file, lines.join('\n'));
  return { file, variables };
}

/** How often per second the script completes, once its statements are prepared. */
function askPgbench(databaseUrl: string, folder: string, { file, variables }: Script): number {
  const given = variables.flatMap((variable) => ['-D', variable]);
  const args = ['-n', '-M', 'prepared', '-c', '1', '-t', '4', '-l', '-f', file, ...given, databaseUrl];
  // The service's connections use one generic plan per statement; so must pgbench's.
  const env = { ...process.env, PGOPTIONS: '-c plan_cache_mode=force_generic_plan' };
  const { status, stderr } = spawnSync(PGBENCH, args, { encoding: 'utf8', cwd: folder, env });
  if (status !== 0) throw new Error(`pgbench failed: ${stderr}`);
  const logs = globSync('pgbench_log.*', { cwd: folder }).map((name) => join(folder, name));
  const micros = logs
    .flatMap((log) => readFileSync(log, 'utf8').trim().split('\n'))
    .map((line) => Number(line.split(' ')[2]));
  for (const log of logs) rmSync(log);
  return 1e6 / at(micros.slice(1), 0.5);
}

interface Service extends AsyncDisposable {
  port: number;
  databasePid: number;
  cpuMicros(): Promise<number>;
}

/** The service in a process of its own, with one connection to PostgreSQL. */
async function startService(databaseUrl: string): Promise<Service> {
  const child = fork(join(import.meta.dirname, 'search/serve.ts'), [databaseUrl]);
  const [{ port, databasePid }] = await once(child, 'message');
  return {
    port,
    databasePid,
    async cpuMicros() {
      child.send('cpu');
      const [{ micros }] = await once(child, 'message');
      return micros;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function askService(service: Service, words: readonly string[]): Promise<Omit<Round, 'pgbench'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [cpuBefore, databaseBefore] = [await service.cpuMicros(), cpuOf(service.databasePid)];
  const startedAt = performance.now();
  for (const word of words)
    await ask(`http://127.0.0.1:${service.port}/Search.ashx?query=${encodeURIComponent(word)}`, agent);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (await service.cpuMicros()) - cpuBefore;
  const databaseCpu = cpuOf(service.databasePid) - databaseBefore;
  agent.destroy();
  return {
    service: words.length / seconds,
    serviceCpuMicros: cpu / words.length,
    databaseCpuMicros: databaseCpu / words.length,
  };
}

async function ask(url: string, agent: Agent): Promise<void> {
  const [answer] = await once(get(url, { agent }), 'response');
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  if (!body.includes('<status>200</status>')) throw new Error(`${url} failed: ${body.slice(0, 400)}`);
}
