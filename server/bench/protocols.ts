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
const SERVE = {
  HTTP_PORT: '0',
  PRIVATE_PORT: '0',
  HTTP_HOST: '127.0.0.1',
  CALLS_PER_ADDRESS: '1000000',
  SERVE_PROCESSES: '1',
};
/** Announced nowhere. */
const UPNP = {
  UPNP: 'on',
  UPNP_PORT: '0',
  UPNP_PRIVATE_PORT: '0',
  UPNP_INTERFACES: 'none0',
  CALLS_PER_ADDRESS: '1000000',
};

/** The page of a protocol that is asked for most: a menu of some fifty stations where it has one. */
interface HotPage {
  name: string;
  path: string;
  /** What is sent with it, by POST. */
  body?: string;
  /** Answered by a process of its own. */
  isUpnp?: boolean;
  /** Each request has a connection of its own, as its devices have it; so it is with the bare server. */
  closes?: boolean;
}

const hotPages = (genre: string): HotPage[] => [
  { name: 'RadioTime', path: `/Browse.ashx?id=${genre}&formats=mp3,aac` },
  { name: 'M3U', path: `/lists/${genre}.m3u?limit=50` },
  { name: 'radio-browser', path: '/json/stations/topclick/50' },
  {
    name: 'vTuner',
    path: `/setupapp/denon/asp/browsexm2/navXML.asp?gofile=${genre}&startitems=1&enditems=50&mac=0011aabbccdd`,
    closes: true,
  },
  { name: 'airable', path: `/frontiersmart/radios/${genre}` },
  { name: 'SoundTouch', path: '/bmx/tunein/v1/navigate' },
  { name: 'yp.xml', path: '/yp.xml?limit=50' },
  { name: 'UPnP', path: '/content/control', body: soapBrowse(genre), isUpnp: true },
];

const soapBrowse = (folder: string): string =>
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:Browse xmlns:u="urn:schemas-upnp-org:service:ContentDirectory:1">' +
  `<ObjectID>${folder}</ObjectID><BrowseFlag>BrowseDirectChildren</BrowseFlag>` +
  '<StartingIndex>0</StartingIndex><RequestedCount>50</RequestedCount></u:Browse></s:Body></s:Envelope>';

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
    const service = opened.use(await startChild(MAIN, ['serve'], { DATABASE_URL: databaseUrl, ...SERVE }));
    const upnp = opened.use(await startChild(MAIN, ['upnp'], { DATABASE_URL: databaseUrl, ...UPNP }));
    const contenders: Contender[] = [];
    const bytes = new Map<string, number>();
    for (const hot of hotPages(page.replace('/Browse.ashx?id=', ''))) {
      const server = hot.isUpnp === true ? upnp : service;
      const body = await bytesOf(server, hot);
      bytes.set(hot.name, body.length);
      const file = join(folder, hot.name);
      writeFileSync(file, body);
      const bare = opened.use(await startChild(BARE_SERVER, [file, hot.closes === true ? 'close' : ''], {}));
      const script = scriptOf(folder, hot);
      contenders.push(
        { name: hot.name, url: urlOf(server, hot.path), pids: [server.pid], script },
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

async function bytesOf(server: Child, { name, path, body: sent }: HotPage): Promise<Buffer> {
  const response = await fetch(urlOf(server, path), {
    headers: { 'accept-encoding': 'identity', ...(sent !== undefined && { 'content-type': 'text/xml' }) },
    ...(sent !== undefined && { method: 'POST', body: sent }),
  });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}: ${body.toString()}`);
  return body;
}

/** wrk posts by a script only. */
function scriptOf(folder: string, { name, body }: HotPage): string | undefined {
  if (body === undefined) return undefined;
  const file = join(folder, `${name}.lua`);
  writeFileSync(
    file,
    `wrk.method = "POST"\nwrk.headers["Content-Type"] = "text/xml"\nwrk.body = [[${body}]]\n`,
  );
  return file;
}
