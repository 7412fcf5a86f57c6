import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { keepLog } from '../processes/keep-log.ts';
import { endWorker } from './end-worker.ts';

const WORK = join(import.meta.dirname, 'work-on-farm.ts');

export interface WorkerOptions {
  databaseUrl: string;
  concurrency: number;
  leaseSeconds: number;
}

export interface Took {
  /** Processor time of the process, and of its main thread alone; parsing has threads of its own. */
  cpuMs: number;
  mainCpuMs: number;
  /** Waiting for answers, all requests together. */
  fetchMs: number;
}

/** A worker process on the farm. */
export interface FarmWorker extends AsyncDisposable {
  /** What its work took, once it has stopped. */
  took: Took;
  /** What it logged as a warning or worse. */
  complaints: string[];
  /** `kill -9`. */
  kill(): Promise<void>;
}

const COMPLAINTS = new Set(['warn', 'error', 'fatal']);

export async function startWorker({
  databaseUrl,
  concurrency,
  leaseSeconds,
}: WorkerOptions): Promise<FarmWorker> {
  const child = spawn(process.execPath, [WORK, String(concurrency), String(leaseSeconds)], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { promise: working, resolve, reject } = Promise.withResolvers<void>();
  child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  const worker: FarmWorker = {
    took: { cpuMs: 0, mainCpuMs: 0, fetchMs: 0 },
    complaints: [],
    kill: () => endWorker(child, 'SIGKILL'),
    [Symbol.asyncDispose]: () => endWorker(child, 'SIGTERM'),
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    keepLog(line);
    const entry: Took & { msg: string; level: string } = JSON.parse(line);
    const { msg, level } = entry;
    if (msg === 'working') resolve();
    if (msg === 'worked') worker.took = entry;
    if (COMPLAINTS.has(level)) worker.complaints.push(line);
  });
  await working;
  return worker;
}
