import { msLeftOfCall } from '../../lib/deadlines/call-bounds.ts';
import { withDeadline } from '../../lib/deadlines/deadline.ts';
import { Fault } from '../../lib/fault.ts';
import { SaveAttempt } from '../../lib/save-attempt.ts';
import { databaseWait } from '../db/wait-factor.ts';
import { atDatabase } from './at-database.ts';
import { isAway, UNAVAILABLE, unavailable } from './away.ts';

/**
 * A query that is sent every time, for responses that must include what was just saved. When the database is
 * unreachable the caller gets a fault, within the deadline.
 */
export const inTime = <T>(work: () => Promise<T>, deadlineMs: number): Promise<T> =>
  within(work, databaseWait(deadlineMs));

async function within<T>(work: () => Promise<T>, deadlineMs: number): Promise<T> {
  try {
    return await atDatabase(() => withDeadline(work(), Math.max(0, deadlineMs), () => unavailable()));
  } catch (error) {
    throw isAway(error) ? unavailable(error) : error;
  }
}

/** Before the call itself ends for its lateness, which would be told as if nothing had been saved. */
const TO_ANSWER_MS = 100;

/**
 * The same for writes, which end before their call does. A caller that is told nothing was saved can rely on it: late work is not committed. If the
 * database fell silent during the commit, the fault says that the outcome is unknown.
 */
export async function saveInTime<T>(work: () => Promise<T>, deadlineMs: number): Promise<T> {
  const attempt = new SaveAttempt();
  try {
    return await within(
      () => attempt.run(work),
      Math.min(databaseWait(deadlineMs), msLeftOfCall() - TO_ANSWER_MS),
    );
  } catch (error) {
    const isOver = error instanceof Fault && error.code === UNAVAILABLE;
    throw isOver && attempt.end() ? outcomeUnknown(error) : error;
  }
}

/** Radios repeat a call anyway: a save has the same effect however often it is sent. */
const outcomeUnknown = (cause: unknown): Fault =>
  Object.assign(
    new Fault(
      504,
      'service.outcomeUnknown',
      'The database stopped responding during the save, which may or may not have worked. Check, or send it again in a minute: ' +
        'nothing is saved twice',
    ),
    { cause },
  );

/** For calls that read: a caller must get a response within a second. */
export const READ_MS = 800;
/** For calls that write: shorter than a radio's timeout, longer than concurrent saves in one account take. */
export const WRITE_MS = 2500;

/**
 * For incidental writes, such as a last-seen time: a database that is read-only, as during a failover, must not fail
 * the call itself.
 */
export async function writeInPassing(write: () => Promise<unknown>): Promise<void> {
  try {
    await SaveAttempt.aside(write);
  } catch (error) {
    if (!isAway(error)) throw error;
  }
}
