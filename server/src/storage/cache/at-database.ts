import { databaseSlots } from '../../lib/deadlines/call-bounds.ts';
import { unavailable } from './away.ts';

/**
 * Runs what waits for the database, unless as many calls as may wait for it do so already: a database that has gone silent is waited
 * for by a part of the calls, and the others, which need none, have places left.
 */
export async function atDatabase<T>(work: () => Promise<T>): Promise<T> {
  const slots = databaseSlots();
  if (!slots) return work();
  if (slots.inUse >= slots.max)
    throw unavailable(new Error(`${slots.max} calls wait for the database already`));
  slots.inUse += 1;
  try {
    return await work();
  } finally {
    slots.inUse -= 1;
  }
}
