import { chmodSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPartner } from '../src/core/accounts/partners/partners.ts';
import { importStations } from '../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../src/import/sources/radio-browser/record.ts';
import { testDatabaseWithPlaces, type TestDatabase } from '../test/database/database.ts';
import { startEdge } from '../test/servers/edge-nginx.ts';
import { portOf } from '../test/servers/port-of.ts';
import { SAMPLE_STATIONS } from '../test/content/real-data.ts';
import { startNjs, startVarnish } from './edge/other-engines.ts';
import { processesOf } from './edge/processes-of.ts';
import { startChild } from './load/children.ts';
import { median, playRounds } from './load/rounds.ts';
import type { Contender } from './load/wrk.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SECONDS = 2;
const KEY = 'a key for benchmarks, which protects nobody';
const MAIN = join(import.meta.dirname, '../src/main.ts');
const DEVICE = 'formats=mp3,aac&partnerId=bench&serial=0011aabbccdd';
const HOLE = '\u0001';
/** Varnish does not see it inside a tag of XML, which is where all links are; hence JSON. */
const ESI = '<esi:include src="/suffix"/>';

/**
 * `npm run bench -- edge`: a page of fifty stations for a device, by Longwave itself, by `deploy/edge`, and by the two other programs that
 * could be an edge, of which only the filling in is done here. Needs the packages libnginx-mod-http-js and varnish.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-edge-'));
  // Varnish works as another user.
  chmodSync(folder, 0o755);
  await using database = await sampleDatabase();
  await using opened = new AsyncDisposableStack();
  try {
    const settings = {
      DATABASE_URL: database.url,
      HTTP_PORT: '0',
      PRIVATE_PORT: '0',
      HTTP_HOST: '127.0.0.1',
    };
    const open = {
      CALLS_PER_ADDRESS: '0',
      EDGE_KEY: KEY,
      TRUSTED_PROXIES: '127.0.0.1',
      SERVE_PROCESSES: '1',
    };
    const longwave = opened.use(await startChild(MAIN, ['serve'], { ...settings, ...open }));
    const own = `http://127.0.0.1:${longwave.port}`;
    const page = `/Browse.ashx?id=${await largestGenre(database)}&filter=s&${DEVICE}`;
    const edge = opened.use(await startEdge({ origin: own }, KEY, ['taskset', '-c', '0']));
    const suffix = `&${DEVICE}`.replaceAll('&', '&amp;');
    const menu = await bytesOf(`${own}${page}`);
    const json = await bytesOf(`${own}${page}&render=json`);
    const forms = { holes: menu.replaceAll(suffix, HOLE), esi: json.replaceAll(`&${DEVICE}`, ESI) };
    const templates = opened.adopt(await serveTemplates(forms), (server) => void server.close());
    const njs = opened.use(await startNjs(folder, `http://127.0.0.1:${portOf(templates)}/holes`));
    const varnish = opened.use(await startVarnish(folder, portOf(templates)));
    const contenders: Contender[] = [
      { name: 'Longwave itself', url: `${own}${page}`, pids: [longwave.pid] },
      { name: 'nginx with Lua (`deploy/edge`)', url: `${edge.origin}${page}`, pids: processesOf(edge.pid) },
      { name: 'nginx with njs', url: `${njs.origin}/menu?${DEVICE}`, pids: njs.pids },
      { name: 'Varnish with ESI, JSON only', url: `${varnish.origin}/menu?${DEVICE}`, pids: varnish.pids },
    ];
    const lengths = await Promise.all(contenders.map(({ url }) => described(url)));
    console.log(
      `A page of ${menu.length} bytes with ${menu.split(suffix).length - 1} links; ${ROUNDS} rounds of ${SECONDS} s\n`,
    );
    console.log('| | CPU µs per request | requests/s | answer |\n|---|---|---|---|');
    const results = await playRounds(contenders, { rounds: ROUNDS, seconds: SECONDS });
    for (const [index, [name, rounds]] of [...results].entries()) {
      const cpu = median(rounds.map(({ cpuMicros }) => cpuMicros));
      const rate = median(rounds.map(({ requestsPerSecond }) => requestsPerSecond));
      console.log(`| ${name} | ${cpu.toFixed(1)} | ${rate.toFixed(0)} | ${lengths[index]} |`);
    }
  } finally {
    await opened.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function described(url: string): Promise<string> {
  const response = await fetch(url);
  const { length } = Buffer.from(await response.arrayBuffer());
  return `${length} bytes, ${response.headers.has('content-length') ? 'with a length' : 'in chunks'}`;
}

async function sampleDatabase(): Promise<TestDatabase> {
  const database = await testDatabaseWithPlaces();
  const items = readRadioBrowser(createReadStream(SAMPLE_STATIONS));
  await importStations({ pool: database.pool, source: 'radio-browser', items });
  await addPartner(database.pool, { id: 'bench', name: 'npm run bench' });
  return database;
}

async function largestGenre({ pool }: TestDatabase): Promise<string> {
  const { rows } = await pool.query<{ id: number }>(
    'SELECT genre_id AS id FROM station_genres GROUP BY genre_id ORDER BY count(*) DESC LIMIT 1',
  );
  return `g${rows[0]?.id}`;
}

const bytesOf = async (url: string): Promise<string> =>
  Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1');

/** The menu with holes, as njs and as ESI take them. */
async function serveTemplates({ holes, esi }: { holes: string; esi: string }): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const body = Buffer.from(url === '/esi' ? esi : holes, 'latin1');
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': body.length }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
