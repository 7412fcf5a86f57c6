import { createReadStream } from 'node:fs';
import { addPartner, changePartner } from '../../../src/core/accounts/partners/partners.ts';
import { importStations } from '../../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../../src/import/sources/radio-browser/record.ts';
import { seededDatabase, testDatabaseWithPlaces, type TestDatabase } from '../../database/database.ts';
import { type Edge, startEdge } from '../../servers/edge-nginx.ts';
import { closedPort } from '../../servers/port-of.ts';
import { SAMPLE_STATIONS } from '../../content/real-data.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { getBytes, type Got, type Items, PARTNERS } from './edge-callers.ts';

export const HOST = 'radio.example';
export const KEY = 'a key for drills, which protects nobody';

export type Headers = Record<string, string | string[]>;

/** A directory, the edge in front of it, and the ids in it. */
export interface EdgeWorld extends AsyncDisposable {
  database: TestDatabase;
  service: ServiceProcess;
  edge: Edge;
  items: Items;
  throughEdge(path: string, headers?: Headers): Promise<Got>;
  /** As a plain proxy on this machine would have passed it on. */
  fromService(path: string, headers?: Headers): Promise<Got>;
  /** How many answers the service has given. */
  answered(): Promise<Record<'menus' | 'templates' | 'others', number>>;
  /** The service ends at once, as by a failure of its machine; the function brings it back. */
  kill(): () => Promise<void>;
}

/** The small fictional directory, or three thousand real stations. */
export async function openEdgeWorld({ isLarge = false, keptSeconds = 4 } = {}): Promise<EdgeWorld> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await (isLarge ? testDatabaseWithPlaces() : seededDatabase()));
  const { pool } = database;
  const records = isLarge ? readRadioBrowser(createReadStream(SAMPLE_STATIONS)) : undefined;
  if (records) await importStations({ pool, source: 'radio-browser', items: records });
  for (const id of PARTNERS) await addPartner(pool, { id, name: 'A drill' });
  await changePartner(pool, PARTNERS[1], { stations_per_group: 20, shows_per_group: 5, formats: 'mp3,ogg' });
  const port = await closedPort();
  const start = (): Promise<ServiceProcess> => startOrigin(database.url, port, keptSeconds);
  let service = await start();
  opened.defer(() => service[Symbol.asyncDispose]());
  const edge = opened.use(await startEdge(service, KEY));
  const items = await itemsOf(database);
  const kept = opened.move();
  return {
    database,
    edge,
    items,
    get service() {
      return service;
    },
    throughEdge: (path, headers = {}) => getBytes(edge.origin, path, { host: HOST, ...headers }),
    fromService: (path, { 'x-forwarded-for': from, ...headers } = {}) =>
      getBytes(service.origin, path, {
        host: HOST,
        ...headers,
        'x-forwarded-for': from === undefined ? '127.0.0.1' : `${String(from)}, 127.0.0.1`,
      }),
    answered: () => answersOf(service),
    kill() {
      service.process.kill('SIGKILL');
      return async () => {
        service = await start();
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const startOrigin = (databaseUrl: string, port: number, keptSeconds: number): Promise<ServiceProcess> =>
  startService(databaseUrl, {
    HTTP_PORT: String(port),
    EDGE_KEY: KEY,
    EDGE_MENU_SECONDS: String(keptSeconds),
    MEMBER_KEY: KEY,
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_HOSTS: `${HOST},other.example`,
  });

async function itemsOf({ pool }: TestDatabase): Promise<Items> {
  const idsOf = async (sql: string): Promise<string[]> =>
    (await pool.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  return {
    genres: await idsOf(
      `SELECT 'g' || genre_id AS id FROM station_genres GROUP BY genre_id ORDER BY count(*) DESC, 1`,
    ),
    places: await idsOf(
      `SELECT 'r' || region_id AS id FROM stations WHERE region_id IS NOT NULL GROUP BY region_id ORDER BY count(*) DESC, 1`,
    ),
    stations: await idsOf(`SELECT 's' || id AS id FROM stations ORDER BY stations.id LIMIT 200`),
  };
}

const ANSWERS = /^longwave_http_requests_total\{route="([^"]*)".*\} (\d+)$/gm;

export const isMenu = (path: string): boolean => /^\/(?:browse\.ashx|index\.aspx)/i.test(path);

async function answersOf({ privateOrigin }: ServiceProcess): ReturnType<EdgeWorld['answered']> {
  const text = await (await fetch(`${privateOrigin}/metrics`)).text();
  const counts = { menus: 0, templates: 0, others: 0 };
  for (const [, route = '', count] of text.matchAll(ANSWERS))
    counts[isMenu(route) ? 'menus' : route.startsWith('/edge/') ? 'templates' : 'others'] += Number(count);
  return counts;
}
