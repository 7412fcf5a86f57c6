import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** As long as an operator's supervisor would wait. */
const STOP_MS = 30_000;

export async function endWorker(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  try {
    await once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the worker did not stop within ${STOP_MS / 1000} s`, { cause: error });
  }
}
