import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { after, before, beforeEach } from 'node:test';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { listBroadcastsOfStation } from '../../src/storage/catalog/schedules/broadcasts.ts';
import { type DueSchedule, claimSchedules } from '../../src/storage/catalog/schedules/due-schedules.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { publicInternet } from '../../src/net/fetch/policy.ts';
import { createLog } from '../../src/lib/log.ts';
import { ManualClock } from '../time/manual-clock.ts';

const NOW = '2026-10-20T10:00:00Z';
export type Page = (request: IncomingMessage, response: ServerResponse) => void;

export let database: TestDatabase;
export let host: string;
/** What the station's server has, by path; all else is 404. */
export const pages = new Map<string, Page>();
/** Method, path and condition of every request, in order. */
export const heard: string[] = [];
export const logged: string[] = [];

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
  heard.length = 0;
  pages.clear();
});

export const clock = new ManualClock(NOW);
const log = createLog({ level: 'warn', sink: { write: (line) => logged.push(line) } });
/** As in the field, but for one name, which is this test's own server. */
const fetcher = new SafeFetcher({
  policy: {
    ...publicInternet,
    resolve: async (name) => (name === 'spi.station-server.net' ? ['127.0.0.1'] : ['10.0.0.1']),
    isAllowed: (ip) => ip === '127.0.0.1',
  },
});
export const deps = () => ({ pool: database.pool, fetcher, clock, log });

/** Answers with the text and its etag, or 304 to who has it. */
export const tagged =
  (etag: string, text: string, headers: Record<string, string> = {}): Page =>
  (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { etag, ...headers }).end(text);
  };

export const spi = (day: string, ...programmes: [title: string, start: string, duration: string][]): string =>
  `<epg xmlns="http://www.worlddab.org/schemas/spi"><schedule><scope startTime="${day}T00:00:00+02:00" stopTime="${day}T23:59:59+02:00"/>${programmes
    .map(
      ([title, start, duration]) =>
        `<programme><mediumName>${title}</mediumName><location><time time="${day}T${start}:00+02:00" duration="${duration}"/></location></programme>`,
    )
    .join('')}</schedule></epg>`;

export async function onAir(stationId: number): Promise<string[]> {
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
export async function due(stationId: number): Promise<DueSchedule> {
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
export async function kept(stationId: number): Promise<Kept | undefined> {
  const { rows } = await database.pool.query<Kept>(
    `SELECT address, round(extract(epoch FROM next_due_at - now()))::int AS wait, interval_seconds, failures, trouble
     FROM schedule_addresses WHERE station_id = $1`,
    [stationId],
  );
  return rows[0];
}

export const DAILY = '/spi/{yyyymmdd}_PI.xml';
export function publishWeek(): void {
  pages.set(
    '/spi/20261020_PI.xml',
    tagged('"a"', spi('2026-10-20', ['Day', '06:00', 'PT16H'], ['Night', '22:00', 'PT4H'])),
  );
  pages.set('/spi/20261021_PI.xml', tagged('"b"', spi('2026-10-21', ['Early', '02:00', 'PT20H'])));
}

export const XMLTV =
  '<tv><programme start="20261021060000 +0200" stop="20261021070000 +0200" channel="x"><title>A</title></programme></tv>';
