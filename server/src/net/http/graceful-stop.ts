import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { HTTP_LIMITS } from './limits.ts';
import type { Readiness } from './readiness.ts';

export interface StopOptions {
  readiness: Readiness;
  listeners: { close(drainMs: number, lingerMs?: number): Promise<void> };
  log: Log;
  /** How long connections without a call are kept after the port is closed; 0 by default. */
  lingerMs?: number | undefined;
  /** How long to keep serving after reporting "not ready", until load balancers have noticed. */
  graceSeconds: number;
  /** Closes the resources of the calls: pools, files. */
  dispose: () => Promise<void>;
}

/**
 * Lets calls in flight finish. First readiness fails and each answer closes its connection, while new calls are still
 * served; then no new connections are accepted; after the last call or fifteen seconds, the rest is closed.
 */
async function stopGracefully({
  readiness,
  listeners,
  log,
  graceSeconds,
  lingerMs,
  dispose,
}: StopOptions): Promise<void> {
  log.info({ graceSeconds }, 'stopping');
  readiness.drain();
  await sleep(graceSeconds * 1000);
  await listeners.close(HTTP_LIMITS.drainMs, lingerMs);
  await dispose();
  log.info('stopped');
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Started through npm, a process receives one Ctrl-C twice. */
const SAME_SIGNAL_MS = 1000;

/**
 * Stops gracefully on SIGTERM and SIGINT (code 0) and on an uncaught exception (code 1), after which nothing can be
 * relied on. A second signal, or twenty-five seconds beyond the grace period, stops immediately. Returns how to stop in the
 * same way without a signal.
 */
export function stopOnSignals(options: StopOptions): (changes?: Partial<StopOptions>) => void {
  let stoppingSinceMs: number | undefined;
  const begin = (code: number, changes?: Partial<StopOptions>): void => {
    if (stoppingSinceMs === undefined) void exitInOrder({ ...options, ...changes }, code);
    else if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
    stoppingSinceMs ??= performance.now();
  };
  for (const signal of SIGNALS) process.on(signal, () => begin(0));
  process.on('uncaughtException', (error) => {
    options.log.fatal({ err: error }, 'uncaught exception');
    begin(1);
  });
  return (changes) => begin(0, changes);
}

async function exitInOrder(options: StopOptions, code: number): Promise<void> {
  setTimeout(() => process.exit(1), options.graceSeconds * 1000 + HTTP_LIMITS.hardExitMs).unref();
  let exitCode = code;
  try {
    await stopGracefully(options);
  } catch (error) {
    options.log.error({ err: error }, 'stopping failed');
    exitCode = 1;
  }
  options.log.flush(() => process.exit(exitCode));
}
