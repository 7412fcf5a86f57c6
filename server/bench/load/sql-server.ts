/**
 * The same menus answered by PostgreSQL, as well as it can: everything a line shows is in one row, and the rows of a
 * page are adjacent in one index. Through the same HTTP stack, so that only the source differs.
 */
import type { Pool } from 'pg';
import { createPool } from '../../src/storage/db/pool.ts';
import type { Action, Endpoint } from '../../src/protocols/radiotime/call/endpoint.ts';
import { listen } from '../../src/net/http/listen/listen.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { Readiness } from '../../src/net/http/readiness.ts';
import { createServer } from '../../src/app/server.ts';
import { numberOf } from '../../src/lib/guide-id.ts';
import { createLog } from '../../src/lib/log.ts';
import { groupOutline, type StationFacts, stationOutline } from '../../src/formats/opml/outlines.ts';

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS bench;
  CREATE TABLE IF NOT EXISTS bench.lines AS
    SELECT s.id, s.name, s.frequency, s.slogan, s.popularity, g.id AS genre_id, g.name AS genre_name, r.name AS place_name,
      l.name AS language_name, t.bitrate, t.reliability, t.formats,
      CASE WHEN s.latitude IS NOT NULL THEN cube(ARRAY[cos(radians(s.latitude)) * cos(radians(s.longitude)),
        cos(radians(s.latitude)) * sin(radians(s.longitude)), sin(radians(s.latitude))]) END AS place
    FROM stations s
    JOIN LATERAL (SELECT max(bitrate) AS bitrate, max(reliability) AS reliability,
        bit_or(CASE format WHEN 'mp3' THEN 1 WHEN 'aac' THEN 2 ELSE 4 END) AS formats
      FROM streams WHERE station_id = s.id AND listed) t ON t.bitrate IS NOT NULL
    LEFT JOIN LATERAL (SELECT genre_id FROM station_genres WHERE station_id = s.id ORDER BY position LIMIT 1) sg ON true
    LEFT JOIN genres g ON g.id = sg.genre_id LEFT JOIN regions r ON r.id = s.region_id
    LEFT JOIN LATERAL (SELECT language_id FROM station_languages WHERE station_id = s.id ORDER BY position LIMIT 1) sl ON true
    LEFT JOIN languages l ON l.id = sl.language_id
    WHERE s.listed;
  CREATE INDEX IF NOT EXISTS lines_place ON bench.lines USING gist (place);
  CREATE TABLE IF NOT EXISTS bench.pages AS
    WITH RECURSIVE above AS (
      SELECT id, id AS ancestor FROM genres UNION ALL
      SELECT a.id, g.parent_id FROM above a JOIN genres g ON g.id = a.ancestor WHERE g.parent_id IS NOT NULL)
    SELECT DISTINCT a.ancestor AS of_genre, l.* FROM station_genres sg
    JOIN above a ON a.id = sg.genre_id JOIN bench.lines l ON l.id = sg.station_id
    ORDER BY a.ancestor, l.popularity DESC, l.id;
  CREATE INDEX IF NOT EXISTS pages_genre ON bench.pages (of_genre, popularity DESC, id);
  ANALYZE bench.lines; ANALYZE bench.pages`;

const CONNECTIONS = 4;
const MAX_WAIT_MS = 60_000;

const LINE = `id, name, frequency, slogan, genre_id AS "genreId", genre_name AS "genreName", place_name AS "placeName",
  language_name AS "languageName", bitrate, reliability, formats`;
const PAGE = `SELECT ${LINE} FROM bench.pages WHERE of_genre = $1 AND formats & 3 <> 0
  ORDER BY popularity DESC, id OFFSET $2 LIMIT 50`;
const NEAR = `SELECT ${LINE} FROM bench.lines WHERE formats & 3 <> 0
  ORDER BY place <-> cube(ARRAY[$1::float8, $2::float8, $3::float8]) LIMIT 51`;

/**
 * Calls wait here for a connection, as long as it takes: the pool gives up after two seconds, which on a busy machine
 * would end the bench.
 */
const waiting: (() => void)[] = [];
let working = 0;

async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  if (working >= CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    return await ask();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}

function answering(pool: Pool): Endpoint {
  const menu = async (name: string, text: string, values: number[]) => {
    const { rows } = await inTurn(() => pool.query<StationFacts>({ name, text, values }));
    const lines = rows.map((row) => stationOutline(row, 'byGenre'));
    return { title: 'Stations', outlines: [groupOutline('Stations', 'stations', lines)] };
  };
  const page: Action = ({ params }) => {
    const genreId = numberOf('g', params.text('id') ?? '') ?? 0;
    return menu('bench-page', PAGE, [genreId, Number(params.text('offset') ?? 0)]);
  };
  const near: Action = ({ caller }) => {
    const { latitude = 0, longitude = 0 } = caller.latlon ?? {};
    const [lat, lon] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return menu('bench-near', NEAR, [
      Math.cos(lat) * Math.cos(lon),
      Math.cos(lat) * Math.sin(lon),
      Math.sin(lat),
    ]);
  };
  return {
    paths: ['/Browse.ashx'],
    actions: new Map([
      ['', page],
      ['local', near],
    ]),
  };
}

const databaseUrl = process.env['DATABASE_URL'] ?? '';
const preparing = createPool({
  databaseUrl,
  size: 1,
  applicationName: 'longwave bench',
  statementTimeoutMs: 300_000,
});
await preparing.query(TABLES);
await preparing.end();
const pool = createPool({
  databaseUrl,
  size: CONNECTIONS,
  applicationName: 'longwave bench sql',
  statementTimeoutMs: MAX_WAIT_MS,
});
// Opens all connections at the same time, so that their processes can be found, and again before the pool closes idle
// ones.
const useAll = (): Promise<unknown> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('SELECT pg_sleep(0.05)')));
await useAll();
setInterval(() => void inTurn(useAll), 20_000).unref();
const [log, metrics, readiness] = [createLog({ level: 'warn' }), new Metrics(), new Readiness()];
const application = createServer({
  endpoints: [answering(pool)],
  log,
  metrics,
  readiness,
  maxInFlight: 1000,
  callTimeoutMs: MAX_WAIT_MS,
  publicHosts: [],
  trustedProxies: [],
});
const listening = { host: '127.0.0.1', httpPort: 0, privateHost: '127.0.0.1', privatePort: 0 };
const { httpPort } = await listen(application, {
  ...listening,
  maxConnections: 1000,
  log,
  metrics,
  readiness,
});
readiness.warmed();
console.log(JSON.stringify({ port: httpPort }));
process.on('SIGTERM', () => process.exit(0));
