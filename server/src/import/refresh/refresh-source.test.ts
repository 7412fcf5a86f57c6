import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { readdirSync, readlinkSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import { addSmallWorld } from '../../../test/content/station-records.ts';
import { createLog } from '../../lib/log.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { claimSource, claimSourceNow } from '../../storage/catalog/stations/station-sources.ts';
import { readRadioBrowser } from '../sources/radio-browser/record.ts';
import { SOURCE_LIMITS } from './open-source.ts';
import { type Refreshed, refreshClaimed, type RefreshedSource } from './refresh-source.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

/** 127.0.0.2 plays the internet. */
const policy = {
  resolve: async () => ['127.0.0.2'],
  isAllowed: (ip: string) => ip === '127.0.0.2',
  connectMs: 30_000,
};

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: IncomingMessage['headers'][] = [];
const server = createServer((request, response) => {
  asked.push(request.headers);
  answer(request, response);
});

let database: TestDatabase;
let clock: ManualClock;
let port: number;
before(async () => {
  database = await testDatabase();
  await addSmallWorld(database.pool);
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  port = portOf(server);
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  asked = [];
  logged.length = 0;
  clock = new ManualClock('2026-03-01T00:00:00Z');
  await database.pool.query('TRUNCATE stations, streams, station_records, aliases, station_sources CASCADE');
});

const dump = (from: number, to: number): Buffer => {
  const lines = Array.from({ length: to - from }, (_item, index) => ({
    id: `r${from + index}`,
    name: `Harbour ${from + index}`,
    url: `http://stream.radio-haven.net/${from + index}`,
    countrycode: 'IE',
  }));
  return Buffer.from(JSON.stringify(lines));
};

const serve =
  (body: Buffer, headers: Record<string, string> = {}) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { etag } = headers;
    if (etag !== undefined && request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, headers).end(body);
  };

const logged: string[] = [];
const log = createLog({ level: 'info', sink: { write: (line) => void logged.push(line) } });

const source = (): RefreshedSource => ({
  source: 'radio-browser',
  address: `http://dumps.radio-haven.net:${port}/stations.json.gz?key=hidden`,
  isUrl: true,
  read: (bytes) => readRadioBrowser(bytes),
});

const file = (address: string): RefreshedSource => ({ ...source(), address, isUrl: false });

interface Options {
  byHand?: boolean;
  acceptDrop?: boolean;
  limits?: Partial<typeof SOURCE_LIMITS>;
  from?: RefreshedSource;
}

async function refresh({ limits, from = source(), ...options }: Options = {}): Promise<Refreshed> {
  const { pool } = database;
  const claimed = await claimSourceNow(pool, from.source);
  const absence = { withdrawAfterDays: 30, maxDropPercent: 5 };
  const fetcher = new SafeFetcher({ policy });
  const deps = { pool, fetcher, clock, log, chance: () => 0.5, absence };
  return refreshClaimed({ ...deps, limits: { ...SOURCE_LIMITS, ...limits } }, claimed, from, options);
}

async function row(): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query(
    `SELECT failures, trouble, known, lost, etag, read_at IS NOT NULL AS read,
       round(extract(epoch FROM next_due_at - now()) / 60)::int AS due_minutes FROM station_sources`,
  );
  return rows[0];
}

async function count(from: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`SELECT count(*) FROM ${from}`);
  return rows[0]?.count ?? 0;
}

const nothingGone = async (): Promise<void> => assert.equal(await count('absent_records'), 0);
const troubleOf = (refreshed: Refreshed): string =>
  refreshed.what === 'failed' && refreshed.error instanceof Error ? refreshed.error.message : refreshed.what;

test('a source is imported once a day, and the next day its server is asked whether it has changed', async () => {
  answer = serve(gzipSync(dump(0, 50)), { etag: '"one"' });
  const { pool } = database;
  assert.equal((await claimSource(pool, ['radio-browser']))?.name, 'radio-browser');
  assert.equal(await claimSource(pool, ['radio-browser']), undefined, 'two workers have it');
  assert.equal((await refresh()).what, 'imported');
  assert.equal(await count('station_records'), 50);
  assert.deepEqual(await row(), {
    failures: 0,
    trouble: null,
    known: null,
    lost: null,
    etag: '"one"',
    read: true,
    due_minutes: 23.5 * 60,
  });
  assert.equal(await claimSource(pool, ['radio-browser']), undefined, 'it is due before a day is over');

  assert.equal((await refresh()).what, 'unchanged');
  assert.deepEqual(
    asked.map((headers) => headers['if-none-match']),
    [undefined, '"one"'],
  );
  assert.equal((await row())['due_minutes'], 23.5 * 60);
  assert.equal((await refresh({ byHand: true })).what, 'imported');
  const moved = { ...source(), address: `http://dumps.radio-haven.net:${port}/other.json` };
  assert.equal((await refresh({ from: moved })).what, 'imported');
  assert.equal(asked.at(-1)?.['if-none-match'], undefined);
  assert.doesNotMatch(logged.join(''), /hidden|http:/);
});

test('what was due for withdrawal goes also on a day on which nothing has changed, and comes back', async () => {
  answer = serve(dump(0, 50), { etag: '"one"' });
  await refresh();
  answer = serve(dump(1, 50), { etag: '"two"' });
  await refresh();
  clock.advance({ hours: 24 * 29 });
  await refresh();
  assert.equal(await count('streams WHERE NOT listed'), 0);
  clock.advance({ hours: 24 });
  assert.deepEqual(await refresh(), { what: 'unchanged', withdrawn: { records: 1, streams: 1 } });
  assert.equal(await count('streams WHERE NOT listed'), 1);
  answer = serve(dump(0, 50), { etag: '"three"' });
  await refresh();
  assert.equal(await count('streams WHERE NOT listed'), 0);
});

test('a server that goes silent, or never answers, is given up, and asked again after growing pauses', async () => {
  answer = (_request, response) => void response.writeHead(200).write(dump(0, 50).subarray(0, 1000));
  assert.match(
    troubleOf(await refresh({ limits: { silenceMs: 2000 } })),
    /^reading the response (?:took longer|failed)/,
  );
  assert.deepEqual([(await row())['failures'], (await row())['due_minutes']], [1, 10]);
  answer = () => undefined;
  assert.match(
    troubleOf(await refresh({ limits: { firstByteMs: 300 } })),
    /^waiting for a response took longer than 300 ms$/,
  );
  assert.deepEqual([(await row())['failures'], (await row())['due_minutes']], [2, 20]);
  answer = (_request, response) => {
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  };
  assert.match(
    troubleOf(await refresh({ limits: { deadlineMs: 500 } })),
    /^the fetch took longer than 500 ms$/,
  );
  assert.equal((await row())['due_minutes'], 40);
  answer = serve(dump(0, 50));
  assert.equal((await refresh()).what, 'imported');
  assert.deepEqual([(await row())['failures'], (await row())['trouble']], [0, null]);
});

const cut = (body: Buffer): Buffer => body.subarray(0, body.length / 2);

const openScratchFiles = (): string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.includes('longwave-source-'));

test('a file that ends in the middle is a failure, however it ends, and nothing of it counts as gone', async () => {
  answer = serve(gzipSync(dump(0, 50)));
  await refresh();
  const [plain, packed] = [dump(0, 50), gzipSync(dump(0, 50))];
  const CUT: [why: RegExp, answer: typeof answer][] = [
    [
      /^reading the response failed/,
      (_request, response) =>
        void response
          .writeHead(200, { 'content-length': packed.length })
          .write(cut(packed), () => response.destroy()),
    ],
    [/unexpected end of file/, serve(cut(packed))],
    [/the file is cut short/, serve(cut(plain))],
    [/answers 404: check the address/, (_request, response) => void response.writeHead(404).end('gone')],
    [/answers 304/, (_request, response) => void response.writeHead(304).end()],
  ];
  for (const [why, cutAnswer] of CUT) {
    answer = cutAnswer;
    assert.match(troubleOf(await refresh()), why);
  }
  answer = serve(dump(0, 500));
  assert.match(troubleOf(await refresh({ limits: { maxBytes: 1000 } })), /larger than 1000 bytes/);
  assert.match(troubleOf(await refresh({ limits: { maxWireBytes: 1000 } })), /larger than 1000 bytes|failed/);
  await nothingGone();
  assert.deepEqual(openScratchFiles(), []);
});

test('a source that has lost much is held until an operator accepts it', async () => {
  answer = serve(dump(0, 100), { etag: '"one"' });
  await refresh();
  answer = serve(dump(30, 100), { etag: '"two"' });
  assert.equal((await refresh()).what, 'held');
  await nothingGone();
  const held = await row();
  assert.deepEqual([held['known'], held['lost'], held['etag'], held['failures']], [100, 30, null, 0]);
  assert.match(logged.join(''), /lacks so many records .*--accept-drop/);
  answer = serve(Buffer.alloc(0));
  assert.equal((await refresh()).what, 'held');
  answer = serve(dump(30, 100), { etag: '"two"' });
  assert.equal((await refresh({ byHand: true, acceptDrop: true })).what, 'imported');
  assert.equal(await count('absent_records'), 30);
  assert.equal((await row())['lost'], null);
});

test('a file that is not there is told of with what to do, and a folder is none', async () => {
  assert.match(
    troubleOf(await refresh({ from: file('/no/such.json') })),
    /^cannot open \/no\/such\.json \(ENOENT\): correct STATION_SOURCES/,
  );
  assert.match(troubleOf(await refresh({ from: file(tmpdir()) })), /is not a file: correct STATION_SOURCES/);
});
