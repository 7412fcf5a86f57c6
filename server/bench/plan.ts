import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { type Child, startChild } from './load/children.ts';
import { urlOf } from './load/menu-contenders.ts';
import { median } from './load/rounds.ts';
import { cpuSecondsOf, measure } from './load/wrk.ts';
import { type Calls, writeCalls } from './plan/calls.ts';
import { type Cost, type Fleet, fleetFor, type Measured, type Prices } from './plan/fleet.ts';
import { type Kind, KINDS, peakCallsPerSecond } from './plan/listeners.ts';
import { accountBytes, MEMBER_KEY, openWorld } from './plan/world.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = 2;
const MAIN = join(import.meta.dirname, '../src/main.ts');
const STEPS = [5, 10_000, 100_000, 1_000_000, 10_000_000, 75_000_000];

/**
 * `npm run bench -- plan`: what each kind of call costs on this machine, and from that what so many listeners need. Prices are a
 * month's: `--core 10 --terabyte 1 --disk 0.1`.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      core: { type: 'string', default: '10' },
      terabyte: { type: 'string', default: '1' },
      disk: { type: 'string', default: '0.1' },
    },
  });
  const prices = { core: +values.core, terabyteOut: +values.terabyte, gigabyteDisk: +values.disk };
  const measured = await measureAll();
  printCosts(measured);
  printFleets(
    STEPS.map((listeners) => fleetFor(listeners, measured, prices)),
    prices,
  );
}

async function measureAll(): Promise<Measured> {
  await using opened = new AsyncDisposableStack();
  process.stderr.write('importing every station\r');
  const database = opened.use(await openWorld());
  const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'longwave-bench-')), (path) =>
    rmSync(path, { recursive: true }),
  );
  const settings = {
    DATABASE_URL: database.url,
    MEMBER_KEY,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    PRIVATE_PORT: '0',
    CALLS_PER_ADDRESS: '0',
    SERVE_PROCESSES: '1',
  };
  const size = await accountBytes(database.pool);
  const service = opened.use(await startChild(MAIN, ['serve'], settings));
  const calls = await writeCalls(database.url, database.pool, folder);
  const measured = async (kind: Kind): Promise<Cost> => {
    process.stderr.write(`${kind}                    \r`);
    return costOf(service, calls[kind], database.pool);
  };
  const costs = {
    menu: await measured('menu'),
    near: await measured('near'),
    search: await measured('search'),
    tune: await measured('tune'),
    describe: await measured('describe'),
    'now playing': await measured('now playing'),
    presets: await measured('presets'),
    save: await measured('save'),
  };
  return { costs, processBytes: memoryOf(service.pid), accountBytes: size };
}

/** The median of some rounds. */
async function costOf(service: Child, { script, example }: Calls[Kind], pool: Pool): Promise<Cost> {
  const url = urlOf(service, example);
  const answer = await fetch(url);
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200 || /<status>[45]/.test(body.toString()))
    throw new Error(`${url}\n${body.toString()}`);
  const contender = { name: example, url, pids: [service.pid], script };
  const rounds: Omit<Cost, 'bytes'>[] = [];
  await measure(contender, 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await connectionSeconds(pool);
    const { cpuMicros, requestsPerSecond } = await measure(contender, SECONDS);
    const spent = (await connectionSeconds(pool))
      .entries()
      .reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
    rounds.push({ service: cpuMicros, database: (spent / (requestsPerSecond * SECONDS)) * 1e6 });
  }
  return {
    service: median(rounds.map(({ service: micros }) => micros)),
    database: median(rounds.map(({ database: micros }) => micros)),
    bytes: body.length,
  };
}

/** What each of PostgreSQL's processes that work for the service has taken; those that are not needed end meanwhile. */
async function connectionSeconds(pool: Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'test'`,
  );
  return new Map(rows.map(({ pid }) => [pid, cpuSecondsOf([pid])]));
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

function printCosts({ costs, processBytes, accountBytes: account }: Measured): void {
  console.log(`One call, of a radio with a serial; medians of ${ROUNDS} rounds of ${SECONDS} s\n`);
  console.log(
    '| call | CPU µs of `longwave serve` | of PostgreSQL | bytes | calls a second of a million listeners, busiest hour |',
  );
  console.log('|---|---|---|---|---|');
  const peak = peakCallsPerSecond(1_000_000);
  for (const kind of KINDS) {
    const { service, database, bytes } = costs[kind];
    console.log(
      `| ${kind} | ${service.toFixed(0)} | ${database.toFixed(0)} | ${bytes} | ${peak[kind].toFixed(1)} |`,
    );
  }
  console.log(
    `\na process that answers calls: ${(processBytes / 1e6).toFixed(0)} MB; an account with its presets: ${account.toFixed(0)} bytes\n`,
  );
}

function printFleets(fleets: readonly Fleet[], { core, terabyteOut, gigabyteDisk }: Prices): void {
  const rows: [name: string, value: (fleet: Fleet) => string][] = [
    ['calls a second, busiest hour', ({ callsAtPeak }) => number(callsAtPeak)],
    [
      'cores busy then: directory, PostgreSQL',
      ({ serviceBusy, databaseBusy }) => `${number(serviceBusy)}, ${number(databaseBusy)}`,
    ],
    [
      'cores to have: directory, PostgreSQL',
      ({ serviceCores, databaseCores }) => `${serviceCores}, ${databaseCores}`,
    ],
    ['machines, with those of PostgreSQL', ({ servers }) => String(servers)],
    ['memory of the directory', ({ serviceMemory }) => `${number(serviceMemory / 1e9)} GB`],
    ['PostgreSQL on disk, accounts and presets', ({ databaseBytes }) => `${number(databaseBytes / 1e9)} GB`],
    [
      'busy while alarm clocks ring and a place is away',
      ({ busyAtAlarm }) => `${Math.round(busyAtAlarm * 100)} %`,
    ],
    ['answers a month', ({ bytesOutAMonth }) => `${number(bytesOutAMonth / 1e12)} TB`],
    ['money a month', ({ moneyAMonth }) => number(moneyAMonth)],
    ['if every sound were relayed', ({ relayGigabits }) => `${number(relayGigabits)} Gbit/s`],
  ];
  console.log(
    `Prices a month: a core with 4 GB ${core}, a terabyte out ${terabyteOut}, a gigabyte of disk ${gigabyteDisk}\n`,
  );
  console.log(
    `| listeners a month | ${fleets.map(({ listeners }) => listeners.toLocaleString('en')).join(' | ')} |`,
  );
  console.log(`|---|${'---|'.repeat(fleets.length)}`);
  for (const [name, value] of rows) console.log(`| ${name} | ${fleets.map(value).join(' | ')} |`);
}

/** With two digits that count; nobody plans by thousandths. */
function number(value: number): string {
  if (value < 0.01) return '< 0.01';
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(2));
  return rounded.toLocaleString('en', { maximumFractionDigits: 3 });
}
