import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withDeadline } from '../../src/lib/deadlines/deadline.ts';
import { keepLog } from './keep-log.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';

/** Long for a busy machine; a service that never says it is ready is broken. */
const START_MS = 180_000;
const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** `longwave serve` as a process of its own, on free ports. */
export interface ServiceProcess extends AsyncDisposable {
  process: ChildProcess;
  /** `http://127.0.0.1:port` */
  origin: string;
  privateOrigin: string;
  /** Undefined where no certificate was given. */
  httpsPort: number | undefined;
  /** What it wrote to its log since it was ready, a line each, and to its error output. */
  log: string[];
}

export async function startService(
  databaseUrl: string,
  more: NodeJS.ProcessEnv = {},
): Promise<ServiceProcess> {
  const settings = {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    PRIVATE_PORT: '0',
    CALLS_PER_ADDRESS: '0',
    DATABASE_WAIT_FACTOR: `${TEST_WAIT_FACTOR}`,
  };
  const env = { ...process.env, DATABASE_URL: databaseUrl, ...settings, ...more };
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => hear(log, line));
  const ports = await withDeadline(
    firstPorts(child, log),
    START_MS,
    () => new Error(`the service was not ready in time: ${log.join('\n')}`),
  );
  return {
    process: child,
    origin: `http://127.0.0.1:${ports.httpPort}`,
    privateOrigin: `http://127.0.0.1:${ports.privatePort}`,
    httpsPort: ports.httpsPort,
    log,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function hear(log: string[], line: string): void {
  log.push(line);
  keepLog(line);
}

interface Ports {
  httpPort: number;
  httpsPort?: number;
  privatePort: number;
}

/** From the line that is written when it is ready; the lines after that are kept. */
function firstPorts(child: ChildProcess, log: string[]): Promise<Ports> {
  const { promise, resolve, reject } = Promise.withResolvers<Ports>();
  child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${log.join('\n')}`)));
  if (!child.stdout) throw new Error('the service has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    hear(log, line);
    const entry: Ports & { msg: string } = JSON.parse(line);
    if (entry.msg === 'serving') resolve(entry);
  });
  return promise;
}
