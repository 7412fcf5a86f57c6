import { isAway } from '../cache/is-away.ts';
import { SaveAttempt } from '../lib/save-attempt.ts';

/**
 * For what is noted when somebody comes by, such as that they did: a database that can be read and not written to, as for the
 * while that another takes over, must not keep them from what they came for.
 */
export async function writeInPassing(write: () => Promise<unknown>): Promise<void> {
  try {
    await SaveAttempt.aside(write);
  } catch (error) {
    if (!isAway(error)) throw error;
  }
}
