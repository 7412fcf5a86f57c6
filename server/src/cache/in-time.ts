import { isAway } from './is-away.ts';
import { unavailable } from './read-through.ts';

/**
 * A question to the database that is asked anew each time, for answers that must hold what was saved a moment ago. Who
 * asks learns that the database is away, and need not wait longer than the deadline to learn it.
 */
export async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), deadlineMs);
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw isAway(error) ? unavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** For a call that reads: within a second a caller must know. */
export const READ_MS = 800;
/** For a call that saves: shorter than a radio waits, longer than many who save in one account wait for each other. */
export const WRITE_MS = 2500;
