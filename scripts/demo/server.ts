import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A small machine with much to do takes its time; a server that ends instead is told of at once. */
const READY_WITHIN_MS = 180_000;
const STOPPED_WITHIN_MS = 40_000;

const pidFile = (folder: string): string => join(folder, 'serve.pid');
const logFile = (folder: string): string => join(folder, 'serve.log');

/** The process id of a demo that is still running; a number left behind by one that is not means nothing. */
export function runningServer(folder: string): number | undefined {
  if (!existsSync(pidFile(folder))) return undefined;
  const pid = Number(readFileSync(pidFile(folder), 'utf8'));
  return isOurs(pid) ? pid : undefined;
}

const isOurs = (pid: number): boolean => isCalled(pid, 'main.ts\0serve');

/** Whether a process is there and was called so: numbers are given to others in time. */
export function isCalled(pid: number, words: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words);
  } catch {
    return false;
  }
}

export async function startDetached(folder: string, main: string, env: NodeJS.ProcessEnv): Promise<void> {
  const log = openSync(logFile(folder), 'a');
  const server = spawn(process.execPath, [main, 'serve'], {
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  server.unref();
  writeFileSync(pidFile(folder), `${server.pid}`);
  const ready = `http://127.0.0.1:${env['PRIVATE_PORT']}/readyz`;
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(ready))) {
    if (server.exitCode !== null || performance.now() > deadline) {
      const [last = ''] = readFileSync(logFile(folder), 'utf8').trimEnd().split('\n').slice(-1);
      throw new Error(`the server did not become ready; the end of ${logFile(folder)} says:\n${last}`);
    }
    await sleep(100);
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** True when a demo was running; it has ended when this returns. */
export async function stopServer(folder: string): Promise<boolean> {
  const pid = runningServer(folder);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + STOPPED_WITHIN_MS;
  while (isOurs(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} does not end; see ${logFile(folder)}`);
    await sleep(100);
  }
  rmSync(pidFile(folder), { force: true });
  return true;
}
