import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { findAccount } from '../accounts.ts';
import { type DeviceKey, findDevice, lockSerial } from './devices.ts';
import { holdAccount, holdKnownDevice } from './link-device.ts';

/** So many of one batch; the others call again. */
const MAX_AT_ONCE = 200;

const storedBefore = statement(
  'devices-under-old-key',
  { place: 'int4' },
  `SELECT noted.place::int4 AS place
   FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS noted (scope, serial_hash, place)
   JOIN devices ON devices.scope = noted.scope AND devices.serial_hash = noted.serial_hash`,
);

/**
 * Stores devices under the key that is written with, where they are stored under an earlier one. Returns how many: one
 * that somebody else is changing at this moment is left for its next call.
 */
export async function rehashDevices(pool: Pool, devices: readonly DeviceKey[]): Promise<number> {
  let count = 0;
  for (const device of await underOldKey(pool, devices))
    if (await transaction(pool, (client) => rehash(client, device))) count += 1;
  return count;
}

async function underOldKey(db: Queryable, devices: readonly DeviceKey[]): Promise<DeviceKey[]> {
  const moving = devices.filter(({ version, other }) => other !== undefined && other.version < version);
  if (moving.length === 0) return [];
  const hashes = moving.map(({ other }) => other?.hash);
  const found = await storedBefore.run(db, [moving.map(({ scope }) => scope), hashes]);
  return found.slice(0, MAX_AT_ONCE).flatMap(({ place }) => moving[place - 1] ?? []);
}

// Its key decides which server a device is on, so it is added there and removed here.
const removeRow = statement(
  'device-remove',
  { changed_at: 'timestamptz' },
  'DELETE FROM devices WHERE scope = $1 AND serial_hash = $2 RETURNING changed_at',
);
const addRow = statement(
  'device-rehash',
  {},
  `INSERT INTO devices (scope, serial_hash, key_version, account_id, earlier_account_id, changed_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
const moveCopy = statement(
  'account-device-rehash',
  {},
  'UPDATE account_devices SET serial_hash = $4 WHERE account_id = $1 AND scope = $2 AND serial_hash = $3',
);
const moveName = statement(
  'account-rehash-device',
  {},
  'UPDATE accounts SET device_hash = $4 WHERE id = $1 AND device_scope = $2 AND device_hash = $3',
);

/**
 * Its row and the copies of its hash at the account it belongs to and the one it belonged to last; no other account can
 * have it back. Locks in the order of `link-device.ts`: the named account, the serial, the device.
 */
async function rehash(client: PoolClient, device: DeviceKey): Promise<boolean> {
  const found = await findDevice(client, device);
  if (!found || found.key_version >= device.version) return false;
  const account = found.account_id === null ? undefined : await findAccount(client, found.account_id);
  if (account && account.username !== null) await holdAccount(client, account.id);
  await lockSerial(client, device);
  const held = await holdKnownDevice(client, device);
  if (!held || held.key_version >= device.version || held.account_id !== found.account_id) return false;
  const { scope, hash, version } = device;
  const owners = [held.account_id, held.earlier_account_id].filter((id) => id !== null);
  const [removed] = await removeRow.run(client, [scope, held.serial_hash]);
  if (!removed) throw new Error('a device that is locked has gone');
  const changedAt = removed.changed_at.toString();
  await addRow.run(client, [scope, hash, version, held.account_id, held.earlier_account_id, changedAt]);
  for (const owner of owners) await moveCopy.run(client, [owner, scope, held.serial_hash, hash]);
  if (held.account_id !== null) await moveName.run(client, [held.account_id, scope, held.serial_hash, hash]);
  return true;
}
