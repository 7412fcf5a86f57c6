import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { bumpCatalogue } from '../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { writeCertificate } from '../servers/certificates.ts';
import { keepLog } from '../processes/keep-log.ts';
import { seededDirectory } from '../content/seeded-directory.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const PROGRAMME = join(import.meta.dirname, 'programme.sql');

/** The whole service as an operator runs it: a process of its own, the seeded stations, HTTP and HTTPS. */
export interface Service extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  origin: string;
  httpPort: number;
  /** `https://127.0.0.1:port`, with a certificate of its own that this process trusts. */
  secureOrigin: string;
  databaseUrl: string;
  memberKey: string;
  pid: number;
}

interface ServiceOptions {
  /** Stations alone, as after a first import: no shows, no accounts, and no partner but those that migrations bring. */
  isFresh?: boolean;
}

export async function startService(
  settings: NodeJS.ProcessEnv = {},
  { isFresh = false }: ServiceOptions = {},
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await seededDirectory());
  if (!isFresh)
    await transaction(database.pool, async (client) => {
      await client.query(readFileSync(PROGRAMME, 'utf8'));
      await bumpCatalogue(client);
    });
  const folder = mkdtempSync(join(tmpdir(), 'longwave-service-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const MEMBER_KEY = randomBytes(32).toString('hex');
  const certificate = writeCertificate(folder);
  trust(readFileSync(certificate.TLS_CERT_FILE, 'utf8'));
  const server = serve({ DATABASE_URL: database.url, MEMBER_KEY, ...certificate, ...settings });
  opened.defer(() => stop(server));
  const { httpPort, httpsPort } = await ready(server);
  const kept = opened.move();
  return {
    origin: `http://127.0.0.1:${httpPort}`,
    httpPort,
    secureOrigin: `https://127.0.0.1:${httpsPort}`,
    databaseUrl: database.url,
    memberKey: MEMBER_KEY,
    pid: server.pid ?? 0,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function serve(more: NodeJS.ProcessEnv): ChildProcess {
  const ports = { HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', HTTPS_PORT: '0', PRIVATE_PORT: '0' };
  // Tests ask from one address, faster than any house of radios.
  const settings = { CALLS_PER_ADDRESS: '0', DATABASE_WAIT_FACTOR: `${TEST_WAIT_FACTOR}` };
  const env = { ...process.env, ...ports, ...settings, ...more };
  return spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The ports, from the line that the server writes when it is ready. What it writes later is kept for the search for secrets. */
async function ready(server: ChildProcess): Promise<{ httpPort: number; httpsPort: number }> {
  const lines = createInterface({ input: server.stdout! });
  for await (const line of lines) {
    const entry: { msg: string; httpPort: number; httpsPort: number } = JSON.parse(line);
    if (entry.msg !== 'serving') continue;
    server.stdout?.on('data', (bytes: Buffer) => keepLog(bytes.toString()));
    server.stdout?.resume();
    return entry;
  }
  throw new Error('the server ended before it was ready');
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(timer);
}

const trust = (certificate: string): void => setDefaultCACertificates([...getCACertificates(), certificate]);
