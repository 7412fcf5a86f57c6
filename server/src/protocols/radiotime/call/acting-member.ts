import { findAccount, findAccountIdByUsername } from '../../../core/accounts/accounts.ts';
import { type DeviceKey, deviceKey, findDevice, openDevice } from '../../../core/accounts/devices/devices.ts';
import type { MemberKeys } from '../../../core/accounts/keys.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import { invalidPartner } from '../../../core/accounts/partners/partner-table.ts';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Call } from './endpoint.ts';

/**
 * The account a call may change: by name and password, or by a device's serial, whose account is created if it has
 * none. A name takes precedence over the serial, which devices always send.
 */
export async function actingAccount(call: Call, members: MemberAccess): Promise<number> {
  const device = deviceOf(call, members.keys);
  if (call.caller.username !== undefined) return signedIn(call, members);
  if (!device) throw nobody();
  return openDevice(members.pool, device);
}

/** The same for a read-only call: undefined for a device without an account. */
export async function lookingAccount(call: Call, members: MemberAccess): Promise<number | undefined> {
  const device = deviceOf(call, members.keys);
  if (call.caller.username !== undefined) return signedIn(call, members);
  if (!device) throw nobody();
  const found = await findDevice(members.pool, device);
  return found?.account_id ?? undefined;
}

/** The calling device within its partner's scope; undefined without a serial. */
export function deviceOf(call: Call, keys: MemberKeys): DeviceKey | undefined {
  const { serial_scope: scope } = requirePartner(call);
  const { serial } = call.caller;
  return serial === undefined ? undefined : deviceKey(keys, scope, serial);
}

/** By name and password. */
export async function signedIn(call: Call, { logins, legacyCredentials }: MemberAccess): Promise<number> {
  requirePartner(call);
  const { username, securityIp: address } = call.caller;
  const password = call.params.text('password');
  if (username === undefined || password === undefined)
    throw new Fault(401, 'validation.credentials', "Give both 'username' and 'password'");
  requireSecure(call, legacyCredentials);
  const verified = await logins.verify({ username, password, address });
  if (!verified) throw new Fault(401, 'validation.credentials', 'The name or the password is wrong');
  return verified.accountId;
}

const nobody = (): Fault =>
  new Fault(400, 'request.invalid', "Presets belong to someone: give a 'username' or a 'serial'");

/** For calls that cannot be made anonymously. */
export function requirePartner({ caller }: Call): PartnerRow {
  const { partnerId, partner } = caller;
  if (partnerId === undefined) {
    throw new Fault(400, 'partner.required', 'This call needs a partnerId; the operator issues one');
  }
  if (partner?.state !== 'active') throw invalidPartner();
  return partner;
}

/**
 * Rejects unencrypted credentials; never redirects to HTTPS, because by then they have already been sent in the clear.
 */
export function requireSecure({ caller }: Call, legacyCredentials: boolean): void {
  if (caller.scheme === 'https' || legacyCredentials) return;
  throw new Fault(
    403,
    'request.insecure',
    'Use HTTPS: this call has a password or belongs to an account. In a home network the operator can allow it over HTTP',
  );
}

/** Rejects a password in the query string, where proxies and histories store it, for calls that take a form. */
export function requireInForm({ params }: Call, legacyCredentials: boolean): void {
  if (legacyCredentials || !params.isInQuery('password')) return;
  throw new Fault(
    403,
    'request.insecure',
    "Send the 'password' in the body of a POST (application/x-www-form-urlencoded), not in the address",
  );
}

export interface ReadAccess {
  db: Queryable;
  /** Undefined when the operator has not set up accounts. */
  members?: MemberAccess | undefined;
}

/** An id that no account has. Unknown callers are looked up all the same, so that response times reveal nothing. */
const NOBODY = 0;

/**
 * Whose presets a call may read: those of the named account, unless its owner disallows that and no password is given,
 * or those of the calling device. NOBODY when the host name does not exist or device.
 */
export async function readingAccount(call: Call, { db, members }: ReadAccess): Promise<number> {
  requirePartner(call);
  const { username } = call.caller;
  if (username !== undefined && members && call.params.has('password')) return signedIn(call, members);
  if (username !== undefined) return readableByName(db, username);
  const device = members && deviceOf(call, members.keys);
  const found = device && (await findDevice(db, device));
  return found?.account_id ?? NOBODY;
}

async function readableByName(db: Queryable, username: string): Promise<number> {
  const account = await findAccount(db, (await findAccountIdByUsername(db, username)) ?? NOBODY);
  return account?.readable_by_name ? account.id : NOBODY;
}
