import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { listBroadcastsOfStation } from '../catalog/broadcasts.ts';
import { type DueSchedule, claimSchedules } from '../catalog/due-schedules.ts';
import { ManualClock } from '../lib/clock.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { publicInternet } from '../lib/fetch-safely/policy.ts';
import { createLog } from '../lib/log.ts';
import { followSchedule, forgetSchedule } from './follow.ts';
import { refreshSchedule } from './refresh.ts';

const NOW = '2026-10-20T10:00:00Z';
type Page = (request: IncomingMessage, response: ServerResponse) => void;

let database: TestDatabase;
let host: string;
/** What the station's server has, by path; all else is 404. */
const pages = new Map<string, Page>();
/** Method, path and condition of every request, in order. */
let heard: string[] = [];
const logged: string[] = [];

const server = createServer((request, response) => {
  const { url = '', headers } = request;
  heard.push(`${url}${headers['if-none-match'] === undefined ? '' : ` ${headers['if-none-match']}`}`);
  const page = pages.get(url);
  if (page) page(request, response);
  else response.writeHead(404).end();
});

before(async () => {
  database = await testDatabase();
  await database.pool.query(
    `INSERT INTO stations (id, name, name_key, zone) SELECT n, 'Test FM', 'test fm', 'Europe/Berlin' FROM generate_series(1, 60) n`,
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  host = `http://spi.station-server.net:${address.port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => {
  heard = [];
  pages.clear();
});

const clock = new ManualClock(NOW);
const log = createLog({ level: 'warn', sink: { write: (line) => logged.push(line) } });
/** As in the field, but for one name, which is this test's own server. */
const fetcher = new SafeFetcher({
  policy: {
    ...publicInternet,
    resolve: async (name) => (name === 'spi.station-server.net' ? ['127.0.0.1'] : ['10.0.0.1']),
    isAllowed: (ip) => ip === '127.0.0.1',
  },
});
const needs = () => ({ pool: database.pool, fetcher, clock, log });

/** Answers with the text and its etag, or 304 to who has it. */
const tagged =
  (etag: string, text: string, headers: Record<string, string> = {}): Page =>
  (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { etag, ...headers }).end(text);
  };

const spi = (day: string, ...programmes: [title: string, start: string, duration: string][]): string =>
  `<epg xmlns="http://www.worlddab.org/schemas/spi"><schedule><scope startTime="${day}T00:00:00+02:00" stopTime="${day}T23:59:59+02:00"/>${programmes
    .map(
      ([title, start, duration]) =>
        `<programme><mediumName>${title}</mediumName><location><time time="${day}T${start}:00+02:00" duration="${duration}"/></location></programme>`,
    )
    .join('')}</schedule></epg>`;

async function onAir(stationId: number): Promise<string[]> {
  const from = Temporal.Instant.from('2026-10-01T00:00Z');
  const rows = await listBroadcastsOfStation(database.pool, stationId, {
    from,
    until: from.add({ hours: 2400 }),
  });
  return rows.map(({ title, starts_at: start, ends_at: end }) => `${title} ${local(start)}-${local(end)}`);
}
const local = (instant: Temporal.Instant): string =>
  instant.toZonedDateTimeISO('Europe/Berlin').toPlainDateTime().toString().slice(8, 16).replace('T', ' ');

/** The row as if its time had come. */
async function due(stationId: number): Promise<DueSchedule> {
  await database.pool.query(
    `UPDATE schedule_addresses SET next_due_at = now() + interval '1 day' WHERE station_id <> $1`,
    [stationId],
  );
  await database.pool.query(`UPDATE schedule_addresses SET next_due_at = now() WHERE station_id = $1`, [
    stationId,
  ]);
  const [row] = await claimSchedules(database.pool, 1, 600);
  assert.equal(row?.stationId, stationId);
  assert.ok(row);
  return row;
}

interface Kept {
  address: string;
  wait: number;
  interval_seconds: number;
  failures: number;
  trouble: string | null;
}
async function kept(stationId: number): Promise<Kept | undefined> {
  const { rows } = await database.pool.query<Kept>(
    `SELECT address, round(extract(epoch FROM next_due_at - now()))::int AS wait, interval_seconds, failures, trouble
     FROM schedule_addresses WHERE station_id = $1`,
    [stationId],
  );
  return rows[0];
}

const DAILY = '/spi/{yyyymmdd}_PI.xml';
function publishWeek(): void {
  pages.set(
    '/spi/20261020_PI.xml',
    tagged('"a"', spi('2026-10-20', ['Day', '06:00', 'PT16H'], ['Night', '22:00', 'PT4H'])),
  );
  pages.set('/spi/20261021_PI.xml', tagged('"b"', spi('2026-10-21', ['Early', '02:00', 'PT20H'])));
}

test('SPI: a document a day, what runs over midnight is whole, days not published yet are no failure', async () => {
  publishWeek();
  const { format, broadcasts } = await followSchedule(needs(), { stationId: 1, address: `${host}${DAILY}` });
  assert.deepEqual([format, broadcasts], ['spi', 3]);
  assert.deepEqual(await onAir(1), [
    'Day 20 06:00-20 22:00',
    'Night 20 22:00-21 02:00',
    'Early 21 02:00-21 22:00',
  ]);
  assert.deepEqual(
    heard,
    ['20', '21', '22', '23'].map((day) => `/spi/202610${day}_PI.xml`),
  );
});

test('a second reading is answered by 304 and writes no broadcast', async () => {
  publishWeek();
  await followSchedule(needs(), { stationId: 2, address: `${host}${DAILY}` });
  const marked = await database.pool.query(
    'SELECT xmin FROM broadcasts WHERE station_id = 2 ORDER BY starts_at',
  );
  heard = [];
  assert.equal(await refreshSchedule(needs(), await due(2)), 'same');
  assert.deepEqual(heard.slice(0, 2), ['/spi/20261020_PI.xml "a"', '/spi/20261021_PI.xml "b"']);
  const again = await database.pool.query(
    'SELECT xmin FROM broadcasts WHERE station_id = 2 ORDER BY starts_at',
  );
  assert.deepEqual(again.rows, marked.rows);
});

test('when one day changes, all are settled together again: what it runs into is not lost', async () => {
  publishWeek();
  await followSchedule(needs(), { stationId: 3, address: `${host}${DAILY}` });
  const longer = spi('2026-10-20', ['Day', '06:00', 'PT15H'], ['Night', '21:00', 'PT9H']);
  pages.set('/spi/20261020_PI.xml', tagged('"c"', longer));
  assert.equal(await refreshSchedule(needs(), await due(3)), 'new');
  assert.deepEqual(await onAir(3), [
    'Day 20 06:00-20 21:00',
    'Night 20 21:00-21 02:00',
    'Early 21 02:00-21 22:00',
  ]);
});

test('the day after, what began before midnight still ends where it did', async () => {
  publishWeek();
  await followSchedule(needs(), { stationId: 4, address: `${host}${DAILY}` });
  clock.advance({ hours: 24 });
  pages.delete('/spi/20261020_PI.xml');
  pages.set('/spi/20261022_PI.xml', tagged('"d"', spi('2026-10-22', ['New', '06:00', 'PT1H'])));
  assert.equal(await refreshSchedule(needs(), await due(4)), 'new');
  clock.advance({ hours: -24 });
  assert.deepEqual(await onAir(4), [
    'Day 20 06:00-20 22:00',
    'Night 20 22:00-21 02:00',
    'Early 21 02:00-21 22:00',
    'New 22 06:00-22 07:00',
  ]);
});

const XMLTV =
  '<tv><programme start="20261021060000 +0200" stop="20261021070000 +0200" channel="x"><title>A</title></programme></tv>';
const ICS =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:A\nDTSTART;TZID=Europe/Berlin:20261021T060000\nDTEND;TZID=Europe/Berlin:20261021T070000\nEND:VEVENT\nEND:VCALENDAR';
const seconds = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds / 1000;
const AZURACAST = JSON.stringify([
  {
    title: 'A',
    start_timestamp: seconds('2026-10-21T06:00+02:00'),
    end_timestamp: seconds('2026-10-21T07:00+02:00'),
  },
]);
const show = (key: 'name' | 'title', times: Record<string, string>) => [{ [key]: 'A', ...times }];
const LIBRETIME = JSON.stringify({
  monday: [],
  wednesday: show('name', { starts: '2026-10-21 06:00:00', ends: '2026-10-21 07:00:00' }),
});
const SPINITRON = JSON.stringify({
  items: show('title', { start: '2026-10-21T04:00:00+0000', end: '2026-10-21T05:00:00+0000' }),
});
const CSV = 'weekday,start,end,show\nwed,06:00,07:00,A\n';

for (const [index, [format, text]] of Object.entries({
  xmltv: XMLTV,
  ics: ICS,
  azuracast: AZURACAST,
  libretime: LIBRETIME,
  spinitron: SPINITRON,
  csv: CSV,
}).entries()) {
  test(`${format} is read from an address, packed or not, and told by its content`, async () => {
    const stationId = 10 + index;
    pages.set('/schedule', (_request, response) => response.end(index % 2 === 0 ? text : gzipSync(text)));
    const followed = await followSchedule(needs(), { stationId, address: `${host}/schedule` });
    assert.equal(followed.format, format);
    assert.equal((await onAir(stationId))[0], 'A 21 06:00-21 07:00');
    assert.equal(
      await refreshSchedule(needs(), await due(stationId)),
      'same',
      'without an etag the digest tells',
    );
  });
}

test('what fails keeps what was known, waits longer each time, and says why', async () => {
  pages.set('/xmltv?key=hidden', tagged('"1"', XMLTV));
  await followSchedule(needs(), { stationId: 20, address: `${host}/xmltv?key=hidden` });
  pages.set('/xmltv?key=hidden', (_request, response) => response.writeHead(500).end());
  const waits: (number | undefined)[] = [];
  for (let n = 0; n < 9; n += 1) {
    assert.equal(await refreshSchedule(needs(), await due(20)), 'failed');
    waits.push((await kept(20))?.wait);
  }
  assert.deepEqual(waits, [900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]);
  assert.match(
    (await kept(20))?.trouble ?? '',
    /^spi\.station-server\.net:\d+ answered 500 instead of a schedule$/,
  );
  assert.deepEqual(await onAir(20), ['A 21 06:00-21 07:00']);
  assert.doesNotMatch(logged.join(''), /hidden/, 'an address may hold a key');
  pages.set('/xmltv?key=hidden', tagged('"1"', XMLTV));
  assert.equal(await refreshSchedule(needs(), await due(20)), 'same');
  const { failures, trouble } = (await kept(20)) ?? {};
  assert.deepEqual([failures, trouble], [0, null]);
});

/** Each: what the server does after a first reading that worked, how long it is left alone, and what is said. */
const FAILURES: [what: string, page: Page, wait: number, trouble: RegExp][] = [
  [
    'Retry-After in seconds',
    (_request, response) => response.writeHead(429, { 'retry-after': '7200' }).end(),
    7200,
    /answered 429/,
  ],
  [
    'Retry-After as a date',
    (_request, response) =>
      response
        .writeHead(503, { 'retry-after': new Date(clock.now().epochMilliseconds + 5000_000).toUTCString() })
        .end(),
    5000,
    /answered 503/,
  ],
  [
    'Retry-After of ten years',
    (_request, response) => response.writeHead(503, { 'retry-after': '315360000' }).end(),
    7 * 86_400,
    /answered 503/,
  ],
  [
    'gone',
    (_request, response) => response.writeHead(410).end(),
    7 * 86_400,
    /answered 410, there is no schedule/,
  ],
  ['not found', (_request, response) => response.writeHead(404).end(), 900, /look it up again/],
  ['no schedule', (_request, response) => response.end('<html>'), 900, /looks like no schedule/],
  ['an empty one', (_request, response) => response.end('<tv/>'), 900, /nothing in the schedule can be used/],
  [
    'a bomb',
    (_request, response) => response.end(gzipSync(Buffer.alloc(40 * 2 ** 20))),
    900,
    /more than 16777216 bytes/,
  ],
  [
    'cut off',
    (_request, response) => response.socket?.destroy(),
    900,
    /cannot be read: the wait for an answer failed/,
  ],
  [
    'a way inside',
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    900,
    /is not read: the address is not of the public internet/,
  ],
];
for (const [index, [what, page, wait, trouble]] of FAILURES.entries()) {
  test(`${what}: asked again in ${wait} seconds`, async () => {
    const stationId = 30 + index;
    pages.set('/x', (_request, response) => response.end(XMLTV));
    await followSchedule(needs(), { stationId, address: `${host}/x` });
    pages.set('/x', page);
    assert.equal(await refreshSchedule(needs(), await due(stationId)), 'failed');
    const row = await kept(stationId);
    assert.ok(Math.abs((row?.wait ?? 0) - wait) <= 2, `${row?.wait}`);
    assert.match(row?.trouble ?? '', trouble);
    assert.deepEqual(await onAir(stationId), ['A 21 06:00-21 07:00'], 'what was known stays');
  });
}

test('a schedule that moved for good is read where it is', async () => {
  pages.set('/old', (_request, response) => response.writeHead(301, { location: '/new' }).end());
  pages.set('/new', tagged('"1"', XMLTV));
  await followSchedule(needs(), { stationId: 41, address: `${host}/old` });
  assert.equal((await kept(41))?.address, `${host}/new`);
});

test('an address that cannot be read is not kept, nor one that must not be asked', async () => {
  const follow = (address: string, format?: string) =>
    followSchedule(needs(), { stationId: 42, address, format });
  await assert.rejects(follow(`${host}/nothing`), /answered 404, there is no schedule at the address/);
  await assert.rejects(follow('http://10.1.2.3/x'), /is not read: the address is not of the public internet/);
  await assert.rejects(follow('ftp://a.radio-haven.net/x'), /ftp: is neither http: nor https:/);
  await assert.rejects(follow('https://a:b@radio-haven.net/x'), /holds a name or a password/);
  await assert.rejects(follow(`${host}/x`, 'teletext'), /there is no format 'teletext'/);
  await assert.rejects(
    followSchedule(needs(), { stationId: 999, address: `${host}/x` }),
    /there is no station s999/,
  );
  assert.equal(await kept(42), undefined);
  assert.deepEqual(heard, ['/nothing']);
});

test('what two claim at once is given to one of them, and again when its lease is over', async () => {
  await database.pool.query(`UPDATE schedule_addresses SET next_due_at = now() - interval '1 minute'`);
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*) FROM schedule_addresses');
  const all = rows[0]?.count ?? 0;
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimSchedules(database.pool, 5, 600)));
  const ids = claims.flat().map(({ stationId }) => stationId);
  assert.equal(new Set(ids).size, ids.length, 'none twice');
  assert.ok(all > 10 && ids.length <= all && ids.length > 5, `${ids.length} of ${all}`);
  const left = await claimSchedules(database.pool, 1000, 600);
  assert.equal(ids.length + left.length, all);
  assert.deepEqual(await claimSchedules(database.pool, 1000, 600), []);
  await database.pool.query(
    `UPDATE schedule_addresses SET next_due_at = next_due_at - interval '601 seconds'`,
  );
  assert.equal(
    (await claimSchedules(database.pool, 1000, 600)).length,
    all,
    'a worker that died lets go of them',
  );
});

test('an address that the operator changes while it is read keeps its own state', async () => {
  pages.set('/one', tagged('"1"', XMLTV));
  pages.set('/two', tagged('"2"', XMLTV));
  await followSchedule(needs(), { stationId: 43, address: `${host}/one` });
  const row = await due(43);
  await followSchedule(needs(), { stationId: 43, address: `${host}/two` });
  pages.delete('/one');
  assert.equal(await refreshSchedule(needs(), row), 'failed');
  const { address, failures } = (await kept(43)) ?? {};
  assert.deepEqual([address, failures], [`${host}/two`, 0]);
});

test('a stop in the middle of a reading is no failure of the address', async () => {
  pages.set('/slow', tagged('"1"', XMLTV));
  await followSchedule(needs(), { stationId: 44, address: `${host}/slow` });
  const stop = new AbortController();
  pages.set('/slow', () => stop.abort(new Error('the worker is stopping')));
  await assert.rejects(refreshSchedule(needs(), await due(44), stop.signal), /the worker is stopping/);
  assert.equal((await kept(44))?.failures, 0);
});

test('forgotten: it is read no more, and its rules do not go on', async () => {
  pages.set('/csv', (_request, response) => response.end(CSV));
  await followSchedule(needs(), { stationId: 45, address: `${host}/csv` });
  const known = await onAir(45);
  assert.equal(await forgetSchedule(database.pool, 45), true);
  assert.equal(await forgetSchedule(database.pool, 45), false);
  assert.deepEqual(await onAir(45), known);
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*) FROM schedule_addresses WHERE station_id = 45) AS addresses,
       (SELECT count(*) FROM schedule_rules WHERE station_id = 45) AS rules, rules_until
     FROM schedules WHERE station_id = 45`,
  );
  assert.deepEqual(rows, [{ addresses: 0, rules: 0, rules_until: null }]);
});
