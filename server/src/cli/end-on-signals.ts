import { constants } from 'node:os';

/**
 * Process 1 of a container gets no signal that it does not listen for. While it starts, or where its command listens for
 * none, it would go on as if nobody had told it to end, until it is killed.
 */
export function endOnSignals(): void {
  if (process.pid !== 1) return;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      // Whoever listens by now ends in its own way.
      if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal]);
    });
}
