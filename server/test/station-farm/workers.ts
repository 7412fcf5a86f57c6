import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWorker } from '../feed-farm/end-worker.ts';
import { keepLog } from '../processes/keep-log.ts';

const WORK = join(import.meta.dirname, 'work-on-stations.ts');

export interface Took {
  cpuMs: number;
  rssMegabytes: number;
}

/** A worker process on the farm. */
export interface StationWorker extends AsyncDisposable {
  pid: number;
  took(): Promise<Took>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

export interface WorkerOptions {
  databaseUrl: string;
  concurrency: number;
  restSeconds: number;
}

export async function startWorker({
  databaseUrl,
  concurrency,
  restSeconds,
}: WorkerOptions): Promise<StationWorker> {
  const child = spawn(process.execPath, [WORK, String(concurrency), String(restSeconds)], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = new Map<string, (entry: Took) => void>();
  const next = (msg: string): Promise<Took> => {
    const { promise, resolve } = Promise.withResolvers<Took>();
    said.set(msg, resolve);
    return promise;
  };
  const working = next('working');
  createInterface({ input: child.stdout }).on('line', (line) => {
    keepLog(line);
    const entry: Took & { msg: string } = JSON.parse(line);
    said.get(entry.msg)?.(entry);
  });
  const died = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the worker ended with ${code}`)),
  );
  died.catch(() => undefined);
  await Promise.race([working, died]);
  return {
    pid: child.pid ?? 0,
    took() {
      const took = next('took');
      child.stdin.write('\n');
      return Promise.race([took, died]);
    },
    kill: () => endWorker(child, 'SIGKILL'),
    [Symbol.asyncDispose]: () => endWorker(child, 'SIGTERM'),
  };
}
