import type { PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { Fault } from '../lib/fault.ts';
import { enlistDevice } from './account-devices.ts';
import { findAccount } from './accounts.ts';
import { copyPresets } from './join-presets.ts';
import type { DeviceKey } from './serial-hash.ts';

const COLUMNS = { id: 'int8', username: 'text?', device_scope: 'text?' } as const;

const lockAccount = statement(
  'account-lock',
  COLUMNS,
  'SELECT id, username, device_scope FROM accounts WHERE id = $1 FOR UPDATE',
);

/**
 * Holds an account until the transaction ends: nobody saves or joins meanwhile. Who holds several rows takes them in one order,
 * so that two calls never wait for each other: the account with a name, the device, the account without a name that the
 * device leads or led to.
 */
export async function holdAccount(client: PoolClient, id: number) {
  const [account] = await lockAccount.run(client, [id]);
  if (!account) throw new Error(`there is no account ${id}`);
  return account;
}

// The update changes nothing; it makes sure that there is a row, and holds it.
const lockDevice = statement(
  'device-lock',
  { account_id: 'int8?', earlier_account_id: 'int8?', changed_at: 'timestamptz' },
  `INSERT INTO devices (scope, serial_hash) VALUES ($1, $2)
   ON CONFLICT (scope, serial_hash) DO UPDATE SET changed_at = devices.changed_at
   RETURNING account_id, earlier_account_id, changed_at`,
);

export async function holdDevice(client: PoolClient, { scope, hash }: DeviceKey) {
  const [device] = await lockDevice.run(client, [scope, hash]);
  if (!device) throw new Error('the database returned no device');
  return device;
}

const setDeviceAccount = statement(
  'device-set-account',
  {},
  `UPDATE devices SET account_id = $3, earlier_account_id = $4, changed_at = now()
   WHERE scope = $1 AND serial_hash = $2`,
);

export async function moveDevice(
  client: PoolClient,
  { scope, hash }: DeviceKey,
  { to, from }: { to: number | null; from: number | null },
): Promise<void> {
  await setDeviceAccount.run(client, [scope, hash, to, from]);
}

const setAccountDevice = statement(
  'account-set-device',
  {},
  'UPDATE accounts SET device_scope = $2, device_hash = $3 WHERE id = $1',
);

export async function nameDevice(client: PoolClient, id: number, device?: DeviceKey): Promise<void> {
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

/** After one of its devices is gone: the account's device is the oldest of those it still has, or none. */
export async function nameSomeDevice(client: PoolClient, id: number): Promise<void> {
  await setSomeDevice.run(client, [id]);
}

const setLeft = statement('account-set-left', {}, 'UPDATE accounts SET left_at = $2 WHERE id = $1');

/** Marks an anonymous account that no device leads to any more, or takes the mark away. */
export async function markLeft(client: PoolClient, id: number, at: Temporal.Instant | null): Promise<void> {
  await setLeft.run(client, [id, at?.toString() ?? null]);
}

/**
 * Makes a device an account's own. What was saved on it is copied behind what the account has; the device's own account
 * stays as it was for thirty days. A call of the protocol joins one device; at the site an account may have several.
 */
export async function joinDevice(
  client: PoolClient,
  accountId: number,
  device: DeviceKey,
  { isOneOfSeveral = false } = {},
): Promise<void> {
  const account = await holdAccount(client, accountId);
  if (account.device_scope !== null && !isOneOfSeveral)
    throw new Fault(400, 'validation.deviceExists', 'This account has a device already; drop that one first');
  const { account_id: earlierId } = await holdDevice(client, device);
  if (earlierId === accountId) return;
  if (earlierId !== null) await takeOver(client, accountId, earlierId);
  await moveDevice(client, device, { to: accountId, from: earlierId });
  await enlistDevice(client, accountId, device);
  if (account.device_scope === null) await nameDevice(client, accountId, device);
}

/** A named account is not held, for whoever drops the device from it holds that first and then waits for the device. */
async function takeOver(client: PoolClient, accountId: number, earlierId: number): Promise<void> {
  const earlier = await findAccount(client, earlierId);
  if (earlier && earlier.username !== null)
    throw new Fault(400, 'validation.error', 'This device belongs to another account; drop it there first');
  await holdAccount(client, earlierId);
  await copyPresets(client, { from: earlierId, to: accountId });
  await markLeft(client, earlierId, Temporal.Now.instant());
}
