import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, for a small and busy machine; a server that exits instead is reported immediately. */
const READY_WITHIN_MS = 180_000;
const STOPPED_WITHIN_MS = 40_000;

const pidFile = (folder: string): string => join(folder, 'serve.pid');
const logFile = (folder: string): string => join(folder, 'serve.log');

/** The process id of a running demo; a stale pid file is ignored. */
export function runningServer(folder: string): number | undefined {
  if (!existsSync(pidFile(folder))) return undefined;
  const pid = Number(readFileSync(pidFile(folder), 'utf8'));
  return isOurs(pid) ? pid : undefined;
}

const isOurs = (pid: number): boolean => isCalled(pid, 'main.ts\0serve');

/** Whether the process exists and has this command line: process ids are reused. */
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
      throw new Error(`the server did not become ready; ${logFile(folder)} says:\n${reason(folder)}`);
    }
    await sleep(100);
  }
}

/** The last error in the log, or without one its last line. */
function reason(folder: string): string {
  const lines = readFileSync(logFile(folder), 'utf8').trimEnd().split('\n');
  return lines.findLast((line) => /"level":"(?:error|fatal)"/.test(line)) ?? lines.at(-1) ?? 'nothing';
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** True if a demo was running; it has ended when this returns. */
export async function stopServer(folder: string): Promise<boolean> {
  const pid = runningServer(folder);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + STOPPED_WITHIN_MS;
  while (isOurs(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} did not exit; see ${logFile(folder)}`);
    await sleep(100);
  }
  rmSync(pidFile(folder), { force: true });
  return true;
}
