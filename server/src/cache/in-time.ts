import { SaveAttempt } from '../lib/save-attempt.ts';
import { Fault } from '../lib/fault.ts';
import { isAway } from './is-away.ts';
import { UNAVAILABLE, unavailable } from './read-through.ts';

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

/**
 * The same for work that saves. Who is told that nothing was saved can rely on it: what is late is not committed any more.
 * What was being committed when the database fell silent is told as what it is, not known.
 */
export async function saveInTime<T>(work: () => Promise<T>, deadlineMs: number): Promise<T> {
  const attempt = new SaveAttempt();
  try {
    return await inTime(attempt.run(work), deadlineMs);
  } catch (error) {
    const isOver = error instanceof Fault && error.code === UNAVAILABLE;
    throw isOver && attempt.end() ? outcomeUnknown(error) : error;
  }
}

/** Saying it again is what a radio does anyway: a save is the same save however often it is sent. */
const outcomeUnknown = (cause: unknown): Fault =>
  Object.assign(
    new Fault(
      504,
      'service.outcomeUnknown',
      'The database fell silent while this was being saved; whether it was is not known. Look, or send it again in a minute: ' +
        'nothing is saved twice',
    ),
    { cause },
  );

/** For a call that reads: within a second a caller must know. */
export const READ_MS = 800;
/** For a call that saves: shorter than a radio waits, longer than many who save in one account wait for each other. */
export const WRITE_MS = 2500;
