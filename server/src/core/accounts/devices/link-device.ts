import type { PoolClient } from 'pg';
import { Fault } from '../../../lib/fault.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import { findAccount } from '../accounts.ts';
import type { MemberKeys, VersionedHash } from '../keys.ts';
import { randomCode } from '../mail/password-by-mail.ts';
import { copyPresets } from '../presets/import-presets.ts';
import {
  addAccountDevice,
  type DeviceKey,
  findDevice,
  hashesOf,
  settledKey,
  type StoredDevice,
  storedKey,
  strikeDevice,
} from './devices.ts';

/*
 * Which account a device belongs to, and what happens to its presets when that changes. Its row in `devices` is in one
 * of these states:
 *
 *   unknown   there is no row; reading creates none
 *   its own   `account_id` is an anonymous account, created with the first save
 *   joined    `account_id` is a named account; `earlier_account_id` the previous anonymous one, now marked `left_at`
 *   dropped   `account_id` is empty; `earlier_account_id` is the named account. The first save creates a new anonymous
 *             account
 *
 * unknown -> its own    the first save (devices.ts)
 * its own -> joined     a call of the radio, or its pairing code typed in at the site. Its presets are copied to the
 *                       end of the named account's, folder by folder by name; duplicates and presets beyond the limit
 *                       are left out
 * unknown -> joined     the same, with nothing to copy
 * joined -> dropped     the account keeps all presets, the device has none
 * joined -> its own     undone within 30 days: the anonymous account is as it was, and the named one keeps the copies
 * dropped -> joined     undone within 30 days: presets saved on the device since are copied, as by a join (undo.ts)
 *
 * Each step is one transaction, so a crash leaves the state before or the one after. Rows are locked in one order
 * (`holdAccount`). A save that looked up the device just before a join finds that the device left the account, and is
 * repeated for the new one (`AccountLeft`). A radio that repeats a call because the response was late changes nothing:
 * the same item in the same folder is one preset. Left accounts are deleted after those 30 days (retention.ts).
 */

const lockAccount = statement(
  'account-lock',
  { id: 'int8', username: 'text?', device_scope: 'text?' },
  'SELECT id, username, device_scope FROM accounts WHERE id = $1 FOR UPDATE',
);

/**
 * Locks an account until the transaction ends, against concurrent saves and joins. Whoever locks several rows takes
 * them in one order, to prevent deadlocks: the named account, the device, the anonymous account that the device belongs
 * or belonged to.
 */
export async function holdAccount(client: PoolClient, id: number) {
  const [account] = await lockAccount.run(client, [id]);
  if (!account) throw new Error(`there is no account ${id}`);
  return account;
}

// The update changes nothing; it ensures that the row exists, and locks it.
const lockDevice = statement(
  'device-lock',
  { account_id: 'int8?' },
  `INSERT INTO devices (scope, serial_hash, key_version) VALUES ($1, $2, $3)
   ON CONFLICT (scope, serial_hash) DO UPDATE SET changed_at = devices.changed_at
   RETURNING account_id`,
);

/** Locks a device, which is added if it is unknown. The key is the one it is stored by. */
async function holdDevice(
  client: PoolClient,
  device: DeviceKey,
): Promise<{ accountId: number | null; key: DeviceKey }> {
  const key = await settledKey(client, device);
  const [held] = await lockDevice.run(client, [key.scope, key.hash, key.version]);
  if (!held) throw new Error('the database returned no device');
  return { accountId: held.account_id, key };
}

const lockKnownDevice = statement(
  'device-lock-known',
  { account_id: 'int8?', earlier_account_id: 'int8?', serial_hash: 'bytea', key_version: 'int2' },
  `SELECT account_id, earlier_account_id, serial_hash, key_version FROM devices
   WHERE scope = $1 AND serial_hash = $2 FOR UPDATE`,
);

/** Locks a device that was found before; undefined when it is stored under another key by now. */
export async function holdKnownDevice(client: PoolClient, device: StoredDevice) {
  // One at a time: the rows of two hashes may be on two servers.
  for (const hash of hashesOf(device)) {
    const [held] = await lockKnownDevice.run(client, [device.scope, hash]);
    if (held) return { ...held, key: storedKey(device, held) };
  }
  return undefined;
}

const setDeviceAccount = statement(
  'device-set-account',
  {},
  `UPDATE devices SET account_id = $3, earlier_account_id = $4, changed_at = now()
   WHERE scope = $1 AND serial_hash = $2`,
);

export async function moveDevice(
  client: PoolClient,
  { scope, hash }: StoredDevice,
  { to, from }: { to: number | null; from: number | null },
): Promise<void> {
  await setDeviceAccount.run(client, [scope, hash, to, from]);
}

const setAccountDevice = statement(
  'account-set-device',
  {},
  'UPDATE accounts SET device_scope = $2, device_hash = $3 WHERE id = $1',
);

export async function nameDevice(client: PoolClient, id: number, device?: StoredDevice): Promise<void> {
  await setAccountDevice.run(client, [id, device?.scope ?? null, device?.hash ?? null]);
}

const setSomeDevice = statement(
  'account-set-some-device',
  {},
  `UPDATE accounts SET (device_scope, device_hash) = (
     SELECT scope, serial_hash FROM account_devices WHERE account_id = $1 AND dropped_at IS NULL
     ORDER BY joined_at, serial_hash LIMIT 1)
   WHERE id = $1`,
);

/** After one of its devices is removed: the account's device is the oldest remaining one, or none. */
export async function nameSomeDevice(client: PoolClient, id: number): Promise<void> {
  await setSomeDevice.run(client, [id]);
}

const setLeft = statement('account-set-left', {}, 'UPDATE accounts SET left_at = $2 WHERE id = $1');

/** Marks an anonymous account as left by its last device, or removes the mark. */
export async function markLeft(client: PoolClient, id: number, at: Temporal.Instant | null): Promise<void> {
  await setLeft.run(client, [id, at?.toString() ?? null]);
}

/**
 * Links a device to an account. The device's presets are copied after those of the account; the device's own account
 * stays unchanged for thirty days. A call of the protocol links one device; at the site an account may have several.
 */
export async function linkDevice(
  client: PoolClient,
  accountId: number,
  device: DeviceKey,
  { isOneOfSeveral = false } = {},
): Promise<void> {
  const account = await holdAccount(client, accountId);
  if (account.device_scope !== null && !isOneOfSeveral)
    throw new Fault(400, 'validation.deviceExists', 'This account has a device already; drop that one first');
  const { accountId: earlierId, key } = await holdDevice(client, device);
  if (earlierId === accountId) return;
  if (earlierId !== null) await takeOver(client, accountId, earlierId);
  await moveDevice(client, key, { to: accountId, from: earlierId });
  await addAccountDevice(client, accountId, key);
  if (account.device_scope === null) await nameDevice(client, accountId, key);
}

/** A named account is not locked here: unlinking locks that account first and then waits for the device. */
async function takeOver(client: PoolClient, accountId: number, earlierId: number): Promise<void> {
  const earlier = await findAccount(client, earlierId);
  if (earlier && earlier.username !== null)
    throw new Fault(400, 'validation.error', 'This device belongs to another account; drop it there first');
  await holdAccount(client, earlierId);
  await copyPresets(client, { from: earlierId, to: accountId });
  await markLeft(client, earlierId, Temporal.Now.instant());
}

export const notAssociated = (message: string): Fault =>
  new Fault(400, 'validation.deviceNotAssociated', message);

/**
 * Unlinks a device from its account: the account keeps its presets, the device has none. The account is not checked
 * when only the device is named.
 */
export async function unlinkDevice(
  client: PoolClient,
  device: StoredDevice,
  accountId: number | undefined,
): Promise<void> {
  const held = await heldOwner(client, device);
  if (held === undefined || (accountId !== undefined && held.owner !== accountId))
    throw notAssociated('This device is not joined to the account; join it first');
  const { owner, key } = held;
  await moveDevice(client, key, { to: null, from: owner });
  await strikeDevice(client, owner, key);
  await nameSomeDevice(client, owner);
}

/** The named account of a device, locked before the device as everywhere, to prevent deadlocks. */
async function heldOwner(
  client: PoolClient,
  device: StoredDevice,
): Promise<{ owner: number; key: StoredDevice } | undefined> {
  const found = await findDevice(client, device);
  const id = found?.account_id;
  if (!id) return undefined;
  const { username } = await holdAccount(client, id);
  if (username === null) return undefined;
  const held = await holdKnownDevice(client, device);
  return held?.account_id === id ? { owner: id, key: held.key } : undefined;
}

/** 40 bits: with a million open codes, one guess in a million is right. */
const CODE_LENGTH = 8;
export const PAIRING_CODE_MINUTES = 30;

const codeHashes = (keys: MemberKeys, code: string): [VersionedHash, ...VersionedHash[]] =>
  keys.hashes('code', 'claim', code.toUpperCase().replaceAll(/[\s-]/g, ''));

const pairingCodeAdd = statement(
  'claim-add',
  {},
  `INSERT INTO device_claims (code_hash, scope, serial_hash, key_version, other_hash, other_version, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${PAIRING_CODE_MINUTES} minutes')`,
);

/** A code that a device displays; its owner types it in at the site to link the device. */
export async function addPairingCode(db: Queryable, keys: MemberKeys, device: DeviceKey): Promise<string> {
  const code = randomCode(CODE_LENGTH);
  const { scope, hash, version, other } = device;
  const [{ hash: codeHash }] = codeHashes(keys, code);
  await pairingCodeAdd.run(db, [codeHash, scope, hash, version, other?.hash ?? null, other?.version ?? null]);
  return code;
}

const pairingCodeRedeem = statement(
  'claim-redeem',
  { scope: 'text', serial_hash: 'bytea', key_version: 'int2', other_hash: 'bytea?', other_version: 'int2?' },
  `DELETE FROM device_claims WHERE code_hash = ANY ($1::bytea[]) AND expires_at > now()
   RETURNING scope, serial_hash, key_version, other_hash, other_version`,
);

/** The device of a code, which is then used up; undefined for an unknown or expired code. */
export async function redeemPairingCode(
  db: Queryable,
  keys: MemberKeys,
  code: string,
): Promise<DeviceKey | undefined> {
  const [claim] = await pairingCodeRedeem.run(db, [codeHashes(keys, code).map(({ hash }) => hash)]);
  if (!claim) return undefined;
  const { scope, serial_hash: hash, key_version: version, other_hash, other_version } = claim;
  const other = other_hash && other_version ? { hash: other_hash, version: other_version } : undefined;
  return { scope, hash, version, other };
}
