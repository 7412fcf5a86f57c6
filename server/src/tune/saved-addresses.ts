import { READ_MS, inTime } from '../cache/in-time.ts';
import type { Call } from '../http/endpoint.ts';
import { type ReadingDoors, readingAccount } from '../http/reading-account.ts';
import { requirePartner } from '../http/require-partner.ts';
import { findSavedAddress } from '../members/presets.ts';
import { type Tuned, tunedAddress } from './tuned.ts';

/**
 * An address that a listener saved. Such an id is a number anybody can guess, and what is behind it is the owner's: it is
 * told only to who names the account or is the device it belongs to, as the presets themselves are.
 */
export async function tuneSaved(call: Call, id: number, doors: ReadingDoors): Promise<Tuned | undefined> {
  requirePartner(call);
  const { username, serial } = call.caller;
  if (username === undefined && serial === undefined) return undefined;
  const saved = await inTime(findOf(call, id, doors), READ_MS);
  return saved && tunedAddress(id, saved.label ?? saved.address, saved.address);
}

const findOf = async (call: Call, id: number, doors: ReadingDoors): ReturnType<typeof findSavedAddress> =>
  findSavedAddress(doors.db, await readingAccount(call, doors), id);
