import { orElseAfter } from '../../lib/deadlines/deadline.ts';
import { Fault } from '../../lib/fault.ts';
import { databaseWait } from '../db/wait-factor.ts';
import type { ReadThrough } from './read-through.ts';

/** How long a menu waits for optional extras before it is sent without them. */
const MAX_WAIT_MS = 100;

/**
 * A fresh cached value immediately, otherwise what is read in time, otherwise a stale cached value. A late read is
 * there for the next call.
 */
export function cached<V extends object>(
  cache: ReadThrough<V>,
  key: string,
): V | undefined | Promise<V | undefined> {
  const fresh = cache.fresh(key);
  if (fresh) return fresh;
  const recent = cache.recent(key);
  const known = cache.peek(key);
  const reading = cache.get(key).catch(unlessAway);
  if (!recent) return orElseAfter(reading, databaseWait(MAX_WAIT_MS), known);
  // The result may be unused, so a rejection would otherwise be unhandled.
  reading.catch(() => undefined);
  return recent;
}

/** Ignores only an unreachable database; bugs still throw. */
function unlessAway(error: unknown): undefined {
  if (error instanceof Fault && error.status === 503) return undefined;
  throw error;
}

/** Continues with a value or a promise; synchronously for a value. */
export const mapSync = <V, R>(value: V | Promise<V>, use: (value: V) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(use) : use(value);
