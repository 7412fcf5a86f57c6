import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool } from '../src/db/pool.ts';
import { buildSnapshot } from '../src/directory/build-snapshot.ts';
import { type Child, startChild } from './load/children.ts';
import { type Contender, type Round, measure } from './load/wrk.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7);
const SECONDS = 3;
const MAIN = join(import.meta.dirname, '../src/main.ts');
const LOAD = join(import.meta.dirname, 'load');
const APPLICATION = 'formats=mp3,aac&partnerId=demo';
const DEVICE = `${APPLICATION}&serial=0011aabbccdd`;

/** `npm run bench -- browse`: menus through the whole service beside a bare server that returns the same bytes. */
export async function run(): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-'));
  try {
    await using opened = new AsyncDisposableStack();
    const start = async (...call: Parameters<typeof startChild>): Promise<Child> =>
      opened.use(await startChild(...call));
    const genreIds = await largeGenres(databaseUrl);
    const [hotGenre = 0] = genreIds;
    const settings = {
      HTTP_PORT: '0',
      PRIVATE_PORT: '0',
      HTTP_HOST: '127.0.0.1',
      CALLS_PER_ADDRESS: '1000000',
    };
    const hot = await start(MAIN, ['serve'], settings);
    const cold = await start(MAIN, ['serve'], { ...settings, MENU_CACHE_MB: '0' });
    const sql = await start(join(LOAD, 'sql-server.ts'), [], {});
    const page = `/Browse.ashx?id=g${hotGenre}`;
    const body = await bytesOf(hot, `${page}&${DEVICE}`);
    writeFileSync(join(folder, 'body'), body);
    const bare = await start(join(LOAD, 'bare-server.ts'), [join(folder, 'body')], {});
    console.log(
      `A genre page of 50 stations, ${body.length} bytes; ${ROUNDS} rounds of ${SECONDS} s, one after the other\n`,
    );
    const pages = wrkScript(folder, 'pages', pageAddresses(genreIds));
    const places = wrkScript(folder, 'places', placeAddresses());
    const sqlPids = [sql.pid, ...(await backendsOf(databaseUrl))];
    const contenders: Contender[] = [
      { name: 'bare node:http', url: urlOf(bare, page), pids: [bare.pid] },
      { name: 'hot page, an application', url: urlOf(hot, `${page}&${APPLICATION}`), pids: [hot.pid] },
      { name: 'hot page, a device', url: urlOf(hot, `${page}&${DEVICE}`), pids: [hot.pid] },
      { name: 'a page made anew', url: urlOf(cold, `${page}&${DEVICE}`), pids: [cold.pid] },
      { name: 'cold pages', url: urlOf(cold, page), pids: [cold.pid], script: pages },
      { name: 'the same by SQL', url: urlOf(sql, page), pids: sqlPids, script: pages },
      { name: 'nearest 50', url: urlOf(hot, page), pids: [hot.pid], script: places },
      { name: 'the same by cube KNN', url: urlOf(sql, page), pids: sqlPids, script: places },
    ];
    print(await rounds(contenders));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const urlOf = ({ port }: Child, path: string): string => `http://127.0.0.1:${port}${path}`;

async function bytesOf(child: Child, path: string): Promise<Buffer> {
  const response = await fetch(urlOf(child, path));
  return Buffer.from(await response.arrayBuffer());
}

/** Genres with several whole pages, the largest first. */
async function largeGenres(databaseUrl: string): Promise<number[]> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
  try {
    const { genreById } = await buildSnapshot(pool);
    const large = [...genreById.values()].filter(({ stationCount }) => stationCount > 400);
    if (large.length === 0) throw new Error('too few stations; import a directory of thousands first');
    return large.toSorted((a, b) => b.stationCount - a.stationCount).map(({ id }) => id);
  } finally {
    await pool.end();
  }
}

/** First and later pages of all those genres. */
const pageAddresses = (genreIds: readonly number[]): string[] =>
  genreIds.flatMap((id) =>
    [0, 50, 100, 150].map((offset) => `/Browse.ashx?id=g${id}&offset=${offset}&${DEVICE}`),
  );

const placeAddresses = (): string[] =>
  Array.from({ length: 2000 }, () => {
    const latlon = `${(Math.random() * 110 - 45).toFixed(3)},${(Math.random() * 360 - 180).toFixed(3)}`;
    return `/Browse.ashx?c=local&${DEVICE}&latlon=${latlon}`;
  });

function wrkScript(folder: string, name: string, addresses: readonly string[]): string {
  const file = join(folder, `${name}.lua`);
  const list = addresses.map((address) => `"${address}"`).join(',\n');
  writeFileSync(
    file,
    `local all = {${list}}\nlocal n = 0\nrequest = function()\n  n = n % #all + 1\n  return wrk.format("GET", all[n])\nend\n`,
  );
  return file;
}

/** The database's processes that work for the SQL server; their time counts as its own. */
async function backendsOf(databaseUrl: string): Promise<number[]> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'longwave bench sql'`,
  );
  await pool.end();
  return rows.map(({ pid }) => pid);
}

async function rounds(contenders: readonly Contender[]): Promise<Map<string, Round[]>> {
  const results = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await measure(contender, 2);
  for (let round = 1; round <= ROUNDS; round += 1) {
    process.stderr.write(`round ${round} of ${ROUNDS}\r`);
    for (const contender of contenders) results.get(contender.name)?.push(await measure(contender, SECONDS));
  }
  return results;
}

function print(results: Map<string, Round[]>): void {
  const medians = [...results].map(([name, all]) => ({
    name,
    cpu: median(all.map(({ cpuMicros }) => cpuMicros)),
    rate: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
  }));
  const [bare] = medians;
  console.log('| | CPU µs a request | requests/s | of bare by CPU | by rate |\n|---|---|---|---|---|');
  for (const { name, cpu, rate } of medians) {
    const [byCpu, byRate] = [(bare?.cpu ?? 0) / cpu, rate / (bare?.rate ?? 1)];
    console.log(
      `| ${name} | ${cpu.toFixed(1)} | ${rate.toFixed(0)} | ${byCpu.toFixed(2)} | ${byRate.toFixed(2)} |`,
    );
  }
  const cpuOf = (name: string): number => medians.find((line) => line.name === name)?.cpu ?? Number.NaN;
  console.log(
    `\ncold pages cost ${(cpuOf('the same by SQL') / cpuOf('cold pages')).toFixed(1)} times less CPU than by SQL,`,
  );
  console.log(
    `nearest 50 ${(cpuOf('the same by cube KNN') / cpuOf('nearest 50')).toFixed(1)} times less than by cube KNN`,
  );
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
