import type { Queryable } from '../db/pool.ts';
import { findAccount } from '../members/accounts.ts';
import { findDevice } from '../members/devices.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import { type MemberDoors, deviceOf, signedIn } from './acting-member.ts';
import type { Call } from './endpoint.ts';
import { requirePartner } from './require-partner.ts';

export interface ReadingDoors {
  db: Queryable;
  /** Undefined where the operator has set up no accounts of devices. */
  doors?: MemberDoors | undefined;
}

/** No account has it. Who is not known is looked for all the same, so that the time an answer takes tells nobody. */
export const NOBODY = 0;

/**
 * Whose presets a call may read: those of the name it gives, unless their owner does not want to be read by it and gives
 * no password, or those of the device it is. NOBODY when there is no such name or device.
 */
export async function readingAccount(call: Call, { db, doors }: ReadingDoors): Promise<number> {
  requirePartner(call);
  const { username } = call.caller;
  if (username !== undefined && doors && call.params.has('password')) return signedIn(call, doors);
  if (username !== undefined) return readableByName(db, username);
  const device = doors && deviceOf(call, doors.keys);
  const found = device && (await findDevice(db, device.scope, device.hash));
  return found?.account_id ?? NOBODY;
}

async function readableByName(db: Queryable, username: string): Promise<number> {
  const account = await findAccount(db, (await findAccountIdByUsername(db, username)) ?? NOBODY);
  return account?.readable_by_name ? account.id : NOBODY;
}
