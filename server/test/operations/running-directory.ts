import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeAuthority } from '../servers/certificates.ts';
import { keepLog } from '../processes/keep-log.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** `longwave work` as a process of its own, on a free port. */
export interface WorkerProcess extends AsyncDisposable {
  process: ChildProcess;
  privateOrigin: string;
}

/** A worker that leaves the network alone. */
export async function startWorker(databaseUrl: string, more: NodeJS.ProcessEnv = {}): Promise<WorkerProcess> {
  const settings = { WORK_PORT: '0', PROBE_CONCURRENCY: '1', LOGO_CONCURRENCY: '0', ...more };
  const child = spawn(process.execPath, [MAIN, 'work'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('exit', (code) => reject(new Error(`the worker ended with ${code} before it was ready`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    keepLog(line);
    const entry: { msg: string; privatePort: number } = JSON.parse(line);
    if (entry.msg === 'working') resolve(entry.privatePort);
  });
  const port = await promise;
  return {
    process: child,
    privateOrigin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** A server with a certificate, and a worker, over one database. */
export interface RunningDirectory extends AsyncDisposable {
  service: ServiceProcess;
  worker: WorkerProcess;
  /** What both show at /metrics. */
  scrape(): Promise<{ service: string; worker: string }>;
}

const scrape = async (origin: string): Promise<string> => (await fetch(`${origin}/metrics`)).text();

export async function startDirectory(databaseUrl: string): Promise<RunningDirectory> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'longwave-running-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const { key, cert } = makeAuthority().issue('DNS:radio.example', 30);
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const tls = { HTTPS_PORT: '0', TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
  const worker = opened.use(await startWorker(databaseUrl));
  const service = opened.use(
    await startService(databaseUrl, { ...tls, STATION_SOURCES: 'house=/none/stations.csv' }),
  );
  const kept = opened.move();
  return {
    service,
    worker,
    scrape: async () => ({
      service: await scrape(service.privateOrigin),
      worker: await scrape(worker.privateOrigin),
    }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
