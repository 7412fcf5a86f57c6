import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './load/children.ts';
import { urlOf } from './load/menu-contenders.ts';
import { writeMenuCalls } from './load/menu-calls.ts';
import { median, playRounds } from './load/rounds.ts';
import type { Contender } from './load/wrk.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 6);
const SECONDS = 2;
const MAIN = join(import.meta.dirname, '../src/main.ts');
const BARE_SERVER = join(import.meta.dirname, 'load/bare-server.ts');
const MIN_STATIONS = 400;
const BARE = ', bare';

/** The page of a protocol that is asked for most: a menu of some fifty stations where it has one. */
interface HotPage {
  name: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
}

const hotPages = (genre: string): HotPage[] => [
  { name: 'RadioTime', path: `/Browse.ashx?id=${genre}&formats=mp3,aac` },
  { name: 'M3U', path: `/lists/${genre}.m3u?limit=50` },
  { name: 'radio-browser', path: '/json/stations/topclick/50' },
  {
    name: 'vTuner',
    path: `/setupapp/yamaha/asp/BrowseXML/navXML.asp?gofile=${genre}&mac=0123456789abcdef0123&fver=W&start=1&howmany=50`,
  },
  { name: 'airable', path: `/frontiersmart/radios/${genre}` },
  { name: 'yp.xml', path: '/yp.xml?limit=50' },
];

/** `npm run bench -- protocols`: the hot page of each protocol, each beside a bare server that returns the same bytes. */
export async function run(): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-'));
  try {
    await using opened = new AsyncDisposableStack();
    const { page } = await writeMenuCalls({
      databaseUrl,
      folder,
      leastStations: MIN_STATIONS,
      device: '',
      near: '',
    });
    const settings = {
      HTTP_PORT: '0',
      PRIVATE_PORT: '0',
      HTTP_HOST: '127.0.0.1',
      CALLS_PER_ADDRESS: '1000000',
    };
    const service = opened.use(await startChild(MAIN, ['serve'], { DATABASE_URL: databaseUrl, ...settings }));
    const contenders: Contender[] = [];
    const bytes = new Map<string, number>();
    for (const hot of hotPages(page.replace('/Browse.ashx?id=', ''))) {
      const body = await bytesOf(service, hot);
      bytes.set(hot.name, body.length);
      const file = join(folder, hot.name);
      writeFileSync(file, body);
      const bare = opened.use(await startChild(BARE_SERVER, [file], {}));
      const script = scriptOf(folder, hot);
      contenders.push(
        { name: hot.name, url: urlOf(service, hot.path), pids: [service.pid], script },
        { name: hot.name + BARE, url: urlOf(bare, hot.path), pids: [bare.pid], script },
      );
    }
    const onRound = (round: number): unknown => process.stderr.write(`round ${round} of ${ROUNDS}\r`);
    const results = await playRounds(contenders, { rounds: ROUNDS, seconds: SECONDS, onRound });
    const cpuOf = (name: string): number =>
      median((results.get(name) ?? []).map(({ cpuMicros }) => cpuMicros));
    console.log(`Hot pages; ${ROUNDS} rounds of ${SECONDS} s, one after the other\n`);
    console.log('| | bytes | CPU µs per request | bare node:http | of bare |\n|---|---|---|---|---|');
    for (const [name, length] of bytes) {
      const [ours, bare] = [cpuOf(name), cpuOf(name + BARE)];
      console.log(
        `| ${name} | ${length} | ${ours.toFixed(1)} | ${bare.toFixed(1)} | ${(bare / ours).toFixed(2)} |`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function bytesOf(service: Child, { name, path, headers = {} }: HotPage): Promise<Buffer> {
  const response = await fetch(urlOf(service, path), {
    headers: { ...headers, 'accept-encoding': 'identity' },
  });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}: ${body.toString()}`);
  return body;
}

/** wrk takes headers from a script only. */
function scriptOf(folder: string, { name, headers }: HotPage): string | undefined {
  if (!headers) return undefined;
  const file = join(folder, `${name}.lua`);
  const lines = Object.entries(headers).map(
    ([key, value]) => `wrk.headers[${JSON.stringify(key)}] = ${JSON.stringify(value)}`,
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
