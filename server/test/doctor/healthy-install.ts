import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import type { Environment } from '../../src/app/config.ts';
import type { CheckContext, Finding } from '../../src/cli/doctor/check.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { type Machine, thisMachine } from '../../src/cli/doctor/machine.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { makeAuthority } from '../servers/certificates.ts';
import { waitUntil } from '../time/wait-until.ts';
import { testDatabase } from '../database/database.ts';
import { contextOf } from './doctor-context.ts';
import { closedPort, portOf } from '../servers/port-of.ts';
import { startService } from '../processes/service-process.ts';
import { makeSmallWorld } from '../content/small-world.ts';
import { mp3Bytes } from '../content/sound-bytes.ts';

/** Where the machine stands in its home. */
const HERE = '192.168.7.20';
const MEMBER_KEY = 'the key of the healthy install, long enough';

/** An install at home in which nothing is wrong, and what it takes to break it. */
export interface Install {
  pool: Pool;
  databaseUrl: string;
  settings: Environment;
  machine: Machine;
  /** A port on which nothing listens. */
  closed: number;
  folder: string;
  /** Files for HTTPS, valid for so many days from now, with this mode of the key. */
  certificate(days: number, mode: number): Environment;
  /** A server that answers like this, until the install ends; gives its port. */
  serve(answer: RequestListener): Promise<number>;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Every line that the doctor would print, with its group. */
  examine(settings?: Environment, more?: Partial<CheckContext>): Promise<({ group: string } & Finding)[]>;
}

export async function openInstall(opened: AsyncDisposableStack): Promise<Install> {
  const database = opened.use(await testDatabase());
  const { pool, url: databaseUrl } = database;
  const folder = mkdtempSync(join(tmpdir(), 'longwave-install-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  for (const file of ['index.html', 'built']) writeFileSync(join(folder, file), '');
  const serve: Install['serve'] = async (answer) => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    opened.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return portOf(server);
  };
  const sound = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(mp3Bytes(40_000));
  });
  await fill(pool, sound);
  const redis = await startRedis(opened);
  const service = opened.use(await startService(databaseUrl, { MEMBER_KEY }));
  let worker = await connectWorker(databaseUrl);
  opened.defer(() => worker.end());
  const settings: Environment = {
    DATABASE_URL: databaseUrl,
    MEMBER_KEY,
    HTTP_PORT: new URL(service.origin).port,
    PRIVATE_PORT: new URL(service.privateOrigin).port,
    HOME_PLACE: 'Cork, Ireland',
    ADDRESS_DATABASE: 'none',
    REDIS_URL: redis,
    SITE_HOST: 'listen.example',
    DNS_PORT: `${await closedPort()}`,
  };
  const machine: Machine = {
    ...thisMachine,
    resolve: () => Promise.resolve([HERE]),
    addresses: () => ['127.0.0.1', HERE],
    outwardAddress: () => Promise.resolve('127.0.0.1'),
    radioPort: Number(settings['HTTP_PORT']),
    openFiles: () => 65_536,
    memoryBytes: () => 4 * 2 ** 30,
    freeBytes: () => Promise.resolve(1e11),
  };
  const authority = makeAuthority();
  return {
    pool,
    databaseUrl,
    settings,
    machine,
    closed: await closedPort(),
    folder,
    serve,
    certificate(days, mode) {
      const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
      const { cert, key } = authority.issue('DNS:listen.example', days);
      writeFileSync(files.TLS_CERT_FILE, cert);
      writeFileSync(files.TLS_KEY_FILE, key);
      chmodSync(files.TLS_KEY_FILE, mode);
      return { ...files, HTTPS_PORT: '8743' };
    },
    async stopWorker() {
      await worker.end();
      await waitUntil('the end of the worker', async () => {
        const { rowCount } = await pool.query(
          "SELECT FROM pg_stat_activity WHERE application_name = 'longwave work' AND datname = current_database()",
        );
        return rowCount === 0 || undefined;
      });
    },
    async startWorker() {
      worker = await connectWorker(databaseUrl);
    },
    async examine(changed = {}, more = {}) {
      // Nothing takes time, so that a busy machine is not a slow database.
      const clock = { ...systemClock, elapsedMs: () => 0 };
      const given = { siteFolder: folder, machine, clock, ...more };
      const context = contextOf({ ...settings, ...changed }, pool, given);
      const examined = await examine(context);
      return examined.flatMap(({ title, findings }) => findings.map((each) => ({ group: title, ...each })));
    },
  };
}

/** All that the doctor sees of a worker. */
async function connectWorker(databaseUrl: string): Promise<Client> {
  const worker = new Client({ connectionString: databaseUrl, application_name: 'longwave work' });
  await worker.connect();
  return worker;
}

async function fill(pool: Pool, soundPort: number): Promise<void> {
  await makeSmallWorld(pool);
  await pool.query(
    "INSERT INTO stations (id, name, name_key, popularity) VALUES (1, 'Town FM', 'town fm', 9)",
  );
  await pool.query(
    `INSERT INTO streams (id, station_id, address, address_key, format, bitrate)
     VALUES (1, 1, 'http://radio.longwave-stream.net:' || $1::text || '/1', md5('1')::uuid, 'mp3', 128)`,
    [soundPort],
  );
  await pool.query(`INSERT INTO stream_checks (stream_id, host, next_due_at, checked_at, verdict)
    VALUES (1, 'h', now() + interval '7 days', now(), 'plays')`);
  await pool.query(
    "INSERT INTO import_runs (source, started_at, finished_at) VALUES ('a list', now(), now())",
  );
}

async function startRedis(opened: AsyncDisposableStack): Promise<string> {
  const port = await closedPort();
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp'];
  const child = spawn(
    'redis-server',
    [...settings, '--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  opened.defer(async () => {
    child.kill();
    await once(child, 'exit');
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await waitUntil('Redis', async () => said.includes('Ready to accept') || undefined);
  return `redis://127.0.0.1:${port}`;
}
