import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so long, or until the signal says that it is of no use any more. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
