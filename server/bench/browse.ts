import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createPool } from '../src/storage/db/pool.ts';
import { startChild } from './load/children.ts';
import { ROWS, type Side, openMenuContenders, urlOf } from './load/menu-contenders.ts';
import { median, playRounds } from './load/rounds.ts';
import type { Contender, Round } from './load/wrk.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 20);
const SECONDS = 1;
/** Appended to the names of the other checkout's rows. */
const BESIDE = ', beside';
const CHECKOUT = join(import.meta.dirname, '../..');
const SQL_SERVER = join(import.meta.dirname, 'load/sql-server.ts');
/** Several full pages. */
const MIN_STATIONS = 400;
const BY_SQL = 'the same by SQL';
const BY_CUBE = 'the same by cube KNN';

/**
 * `npm run bench -- browse`: menus through the whole service, compared with a bare server that returns the same bytes.
 * With `--beside FOLDER` another checkout is measured in the same rounds, on its own database if `--database` names
 * one.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { beside: { type: 'string' }, database: { type: 'string' } },
  });
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const own: Side = { folder: CHECKOUT, databaseUrl, label: '' };
  const others: Side[] =
    values.beside === undefined
      ? []
      : [{ folder: resolve(values.beside), databaseUrl: values.database ?? databaseUrl, label: BESIDE }];
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-'));
  try {
    await using menus = await openMenuContenders(folder, [own, ...others], MIN_STATIONS);
    await using sql = await startChild(SQL_SERVER, [], {});
    console.log(
      `A genre page of 50 stations, ${menus.bytes} bytes; ${ROUNDS} rounds of ${SECONDS} s, one after the other\n`,
    );
    const { page, pages, places } = menus.calls;
    const server = { url: urlOf(sql, page), pids: [sql.pid, ...(await backendsOf(databaseUrl))] };
    const contenders: Contender[] = [
      ...menus.contenders,
      { name: BY_SQL, ...server, script: pages },
      { name: BY_CUBE, ...server, script: places },
    ];
    const onRound = (round: number): unknown => process.stderr.write(`round ${round} of ${ROUNDS}\r`);
    print(await playRounds(contenders, { rounds: ROUNDS, seconds: SECONDS, onRound }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Per row, the median over the rounds of this checkout's speed relative to the other's, compared within each round. */
function printBeside(results: Map<string, Round[]>): void {
  const rows = [...results].flatMap(([name, ours]) => {
    const theirs = results.get(name + BESIDE);
    if (!theirs) return [];
    const ratios = ours.map(({ cpuMicros }, round) => (theirs[round]?.cpuMicros ?? Number.NaN) / cpuMicros);
    return `${name} ${median(ratios).toFixed(2)}`;
  });
  if (rows.length > 0) console.log(`\nof the speed of the other checkout: ${rows.join(', ')}`);
}

/** The database's processes that work for the SQL server; their CPU time is added to its own. */
async function backendsOf(databaseUrl: string): Promise<number[]> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'longwave bench sql'`,
  );
  await pool.end();
  return rows.map(({ pid }) => pid);
}

function print(results: Map<string, Round[]>): void {
  const [bare = []] = results.values();
  const medians = [...results].map(([name, all]) => ({
    name,
    cpu: median(all.map(({ cpuMicros }) => cpuMicros)),
    rate: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
    // Within each round: from one to the next the machine may take twice as long for the same.
    byCpu: median(all.map(({ cpuMicros }, round) => (bare[round]?.cpuMicros ?? Number.NaN) / cpuMicros)),
    byRate: median(
      all.map(
        ({ requestsPerSecond }, round) => requestsPerSecond / (bare[round]?.requestsPerSecond ?? Number.NaN),
      ),
    ),
  }));
  console.log('| | CPU µs per request | requests/s | of bare by CPU | by rate |\n|---|---|---|---|---|');
  for (const { name, cpu, rate, byCpu, byRate } of medians) {
    console.log(
      `| ${name} | ${cpu.toFixed(1)} | ${rate.toFixed(0)} | ${byCpu.toFixed(2)} | ${byRate.toFixed(2)} |`,
    );
  }
  printBeside(results);
  const cpuOf = (name: string): number => medians.find((line) => line.name === name)?.cpu ?? Number.NaN;
  const timesLess = (ours: string, theirs: string): string => (cpuOf(theirs) / cpuOf(ours)).toFixed(1);
  console.log(`\ncold pages cost ${timesLess(ROWS.cold, BY_SQL)} times less CPU than by SQL,`);
  console.log(`${ROWS.nearest} ${timesLess(ROWS.nearest, BY_CUBE)} times less than by cube KNN`);
}
