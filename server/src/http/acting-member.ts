import type { Pool } from 'pg';
import { Fault } from '../lib/fault.ts';
import { findDevice, openDevice } from '../members/devices.ts';
import type { MemberKeys } from '../members/keys.ts';
import type { Logins } from '../members/logins.ts';
import { type DeviceKey, deviceKey } from '../members/serial-hash.ts';
import type { Call } from './endpoint.ts';
import { requirePartner } from './require-partner.ts';
import { requireSecure } from './require-secure.ts';

/** The ways into an account. */
export interface MemberDoors {
  pool: Pool;
  keys: MemberKeys;
  logins: Logins;
  /** Whether passwords may come over plain HTTP. */
  legacyCredentials: boolean;
}

/**
 * The account a call may change: by name and password, or by the serial of a device, whose account is made when it has
 * none. A name counts before a serial, which devices send with everything.
 */
export async function actingAccount(call: Call, doors: MemberDoors): Promise<number> {
  const device = deviceOf(call, doors.keys);
  if (call.caller.username !== undefined) return signedIn(call, doors);
  if (!device) throw nobody();
  return openDevice(doors.pool, device);
}

/** The same for a call that changes nothing: undefined for a device that has no account. */
export async function lookingAccount(call: Call, doors: MemberDoors): Promise<number | undefined> {
  const device = deviceOf(call, doors.keys);
  if (call.caller.username !== undefined) return signedIn(call, doors);
  if (!device) throw nobody();
  const found = await findDevice(doors.pool, device.scope, device.hash);
  return found?.account_id ?? undefined;
}

/** The calling device within its partner's scope; undefined when the call names none. */
export function deviceOf(call: Call, keys: MemberKeys): DeviceKey | undefined {
  const { serial_scope: scope } = requirePartner(call);
  const { serial } = call.caller;
  return serial === undefined ? undefined : deviceKey(keys, scope, serial);
}

/** By name and password. */
export async function signedIn(call: Call, { logins, legacyCredentials }: MemberDoors): Promise<number> {
  requirePartner(call);
  const { username, securityIp: address } = call.caller;
  const password = call.params.text('password');
  if (username === undefined || password === undefined)
    throw new Fault(401, 'validation.credentials', "Give both 'username' and 'password'");
  requireSecure(call, legacyCredentials);
  const verified = await logins.verify({ username, password, address });
  if (!verified)
    throw new Fault(401, 'validation.credentials', 'The name and the password do not belong together');
  return verified.accountId;
}

const nobody = (): Fault =>
  new Fault(400, 'request.invalid', "Presets belong to someone: give a 'username' or a 'serial'");
