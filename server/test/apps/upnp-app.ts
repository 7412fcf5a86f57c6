import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import type { Pool } from 'pg';
import { createUpnpServer, type UpnpServerOptions } from '../../src/app/upnp/upnp-server.ts';
import type { Directory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import { listSaved } from '../../src/core/folders/saved-items.ts';
import { StationStreams } from '../../src/core/streams/station-streams.ts';
import { createLog } from '../../src/lib/log.ts';
import { listen } from '../../src/net/http/listen/listen.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { Readiness } from '../../src/net/http/readiness.ts';
import { refreshSearch } from '../../src/storage/catalog/search/refresh-search.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { keepLog } from '../processes/keep-log.ts';

const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');
export const TEST_UDN = 'uuid:2f402f80-da50-11e1-9b23-001788255acc';

export interface UpnpApp extends AsyncDisposable {
  database: TestDatabase;
  snapshot: () => Snapshot;
  logLines: string[];
  /** `http://127.0.0.1:port` */
  origin: string;
  port: number;
  /** What answers requests that came by a socket. */
  handle: RequestListener;
  ask: (
    method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS',
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ) => Promise<LightMyRequestResponse>;
}

/** The media server over the small fictional directory, with the presets of its account 7, on a socket. */
export async function upnpApp(streams?: StationStreams): Promise<UpnpApp> {
  const database = await seededDatabase();
  const { pool } = database;
  await pool.query(readFileSync(ROWS, 'utf8'));
  await refreshSearch(pool);
  const snapshot = await buildSnapshot(pool);
  const served = await serveUpnp(
    pool,
    { current: () => snapshot },
    () => listSaved(pool, snapshot, 7),
    streams,
  );
  return {
    ...served,
    database,
    snapshot: () => snapshot,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The media server over any directory. */
export async function serveUpnp(
  pool: Pool,
  directory: Pick<Directory, 'current'>,
  saved: UpnpServerOptions['saved'] = async () => undefined,
  streams: StationStreams = new StationStreams(),
): Promise<Omit<UpnpApp, 'database' | 'snapshot'>> {
  const logLines: string[] = [];
  const sink = {
    write: (line: string) => {
      logLines.push(line);
      keepLog(line);
    },
  };
  const log = createLog({ level: 'trace', sink });
  const [metrics, readiness] = [new Metrics(), new Readiness()];
  readiness.warmed();
  const app = createUpnpServer({
    directory,
    db: pool,
    aliases: new Aliases(pool),
    streams,
    saved,
    server: { udn: TEST_UDN, name: 'Radio & more' },
    language: 'en',
    rateLimit: undefined,
    log,
    metrics,
    readiness,
  });
  const host = '127.0.0.1';
  const ports = { host, httpPort: 0, privateHost: host, privatePort: 0, maxConnections: 100 };
  const listeners = await listen(app, { ...ports, log, metrics, readiness });
  return {
    logLines,
    origin: `http://${host}:${listeners.httpPort}`,
    port: listeners.httpPort,
    handle: app.handle,
    ask: (method, url, headers = {}, payload = '') =>
      app.fastify.inject({ method, url, headers: { host: '192.168.1.20:8706', ...headers }, payload }),
    [Symbol.asyncDispose]: () => listeners.close(0),
  };
}
