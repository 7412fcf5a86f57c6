import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { LIMITS } from './limits.ts';
import type { Readiness } from './readiness.ts';

export interface StopOptions {
  readiness: Readiness;
  listeners: { close(drainMs: number): Promise<void> };
  log: Log;
  /** How long to go on serving after saying "not ready", until whoever sends calls has noticed. */
  graceSeconds: number;
  /** Closes what the calls used: pools, files. */
  dispose: () => Promise<void>;
}

/**
 * Lets every call under way finish. First it says so: readiness fails and each answer closes its connection, while
 * new calls are still served; then no new connections; then, the last call answered or fifteen seconds gone, the rest.
 */
export async function stopGracefully({
  readiness,
  listeners,
  log,
  graceSeconds,
  dispose,
}: StopOptions): Promise<void> {
  log.info({ graceSeconds }, 'stopping');
  readiness.drain();
  await sleep(graceSeconds * 1000);
  await listeners.close(LIMITS.drainMs);
  await dispose();
  log.info('stopped');
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** One Ctrl-C reaches a process twice when it was started through npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Ends the process in good order on SIGTERM and SIGINT (code 0) and, since nothing can be relied on after it, on an
 * uncaught exception (code 1). A second signal, or twenty-five seconds more than the grace, end it at once.
 */
export function stopOnSignals(options: StopOptions): void {
  let stoppingSinceMs: number | undefined;
  const begin = (code: number): void => {
    if (stoppingSinceMs === undefined) void exitInOrder(options, code);
    else if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
    stoppingSinceMs ??= performance.now();
  };
  for (const signal of SIGNALS) process.on(signal, () => begin(0));
  process.on('uncaughtException', (error) => {
    options.log.fatal({ err: error }, 'uncaught exception');
    begin(1);
  });
}

async function exitInOrder(options: StopOptions, code: number): Promise<void> {
  setTimeout(() => process.exit(1), options.graceSeconds * 1000 + LIMITS.hardExitMs).unref();
  let exitCode = code;
  try {
    await stopGracefully(options);
  } catch (error) {
    options.log.error({ err: error }, 'stopping failed');
    exitCode = 1;
  }
  options.log.flush(() => process.exit(exitCode));
}
