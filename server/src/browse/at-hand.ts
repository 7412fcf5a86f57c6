import type { ReadThrough } from '../cache/read-through.ts';
import { Fault } from '../lib/fault.ts';

/** A menu of stations waits for what comes beside them as long as nobody notices. */
const PATIENCE_MS = 100;

/**
 * What is remembered of late, at once; else what is read in time; else what is remembered at all. What was read too late
 * is there the next time.
 */
export function atHand<V extends object>(
  cache: ReadThrough<V>,
  key: string,
): V | undefined | Promise<V | undefined> {
  const fresh = cache.fresh(key);
  if (fresh) return fresh;
  const recent = cache.recent(key);
  const known = cache.peek(key);
  const reading = cache.get(key).catch(unlessAway);
  if (!recent) return inTime(reading, known);
  // Nobody waits for it, so nobody else would catch what goes wrong with it.
  reading.catch(() => undefined);
  return recent;
}

/** Only that the database is away is passed over; a mistake of ours is not. */
function unlessAway(error: unknown): undefined {
  if (error instanceof Fault && error.status === 503) return undefined;
  throw error;
}

async function inTime<V>(reading: Promise<V | undefined>, known: V | undefined): Promise<V | undefined> {
  const late = Promise.withResolvers<V | undefined>();
  const timer = setTimeout(() => late.resolve(known), PATIENCE_MS);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Goes on with what may have to be waited for: at once when it need not be. */
export const whenThere = <V, R>(value: V | Promise<V>, use: (value: V) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(use) : use(value);
