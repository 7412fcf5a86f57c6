import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { keyedHash, type MemberKeys, type VersionedHash } from '../keys.ts';
import { addFolderRow } from '../presets/folders.ts';

/** A device as it is stored: in its partner's scope, by a hash that only this service can compute. */
export interface StoredDevice {
  scope: string;
  hash: Buffer;
  /** While the key is being replaced: the hash under the other one, by which the device may be stored. */
  other?: VersionedHash | undefined;
}

/** The same with all that is needed to add it. */
export interface DeviceKey extends StoredDevice {
  /** Of the key that the hash was made with. */
  version: number;
}

/** By which of them the device is stored, if it is. */
export const hashesOf = ({ hash, other }: StoredDevice): Buffer[] => (other ? [hash, other.hash] : [hash]);

/** Serials differ in separators and case but mean the same device. */
export function deviceKey(keys: MemberKeys, scope: string, serial: string): DeviceKey {
  const normalized = serial
    .trim()
    .toUpperCase()
    .replaceAll(/[:\s-]/g, '');
  const { writing } = keys;
  const { version } = writing;
  const old = keys.all[1];
  return {
    scope,
    hash: keyedHash(writing.serial, scope, normalized),
    version,
    ...(old && { other: { hash: keyedHash(old.serial, scope, normalized), version: old.version } }),
  };
}

const OWNER_COLUMNS = {
  account_id: 'int8?',
  earlier_account_id: 'int8?',
  serial_hash: 'bytea',
  key_version: 'int2',
} as const;

export type DeviceRow = RowOf<typeof OWNER_COLUMNS>;

/** The account of a device. The account itself is a separate read: it may be on another server. */
export const findDevice = statement(
  'device-find',
  OWNER_COLUMNS,
  `SELECT ${Object.keys(OWNER_COLUMNS).join(', ')} FROM devices
   WHERE scope = $1 AND serial_hash = ANY ($2::bytea[])`,
).first((device: StoredDevice) => [device.scope, hashesOf(device)]);

/** The key by which a device is stored, as far as statements go that find it by one hash. */
export const storedKey = (
  { scope }: StoredDevice,
  { serial_hash: hash, key_version: version }: DeviceRow,
): DeviceKey => ({ scope, hash, version });

/**
 * While the key is being replaced, whoever adds a device or stores it under the other key takes this lock first, until
 * the transaction ends: two hashes of one serial are two rows to PostgreSQL, and a radio must not have two. Every server
 * that has both keys gets the same number for a radio.
 */
export async function lockSerial(client: PoolClient, device: DeviceKey): Promise<void> {
  const [lowest] = hashesOf(device).toSorted((a, b) => a.compare(b));
  if (device.other && lowest) await serialLock.run(client, [lowest.readBigInt64BE().toString()]);
}

const serialLock = statement(
  'device-serial-lock',
  { taken: 'bool' },
  'SELECT true AS taken FROM pg_advisory_xact_lock($1)',
);

const addAccount = statement(
  'account-add-anonymous',
  { id: 'int8' },
  'INSERT INTO accounts (folder_count) VALUES (0) RETURNING id',
);
const deviceTake = statement(
  'device-take',
  { account_id: 'int8?' },
  `INSERT INTO devices (scope, serial_hash, account_id, key_version) VALUES ($1, $2, $3, $4)
   ON CONFLICT (scope, serial_hash) DO UPDATE SET account_id = coalesce(devices.account_id, $3)
   RETURNING account_id`,
);

/** The account of a device; if it has none, creates an anonymous one with a default folder. Only writes call this. */
export async function openDevice(pool: Pool, device: DeviceKey): Promise<number> {
  const known = await findDevice(pool, device);
  if (known?.account_id) return known.account_id;
  try {
    return await transaction(pool, (client) => addAnonymous(client, device));
  } catch (error) {
    if (!(error instanceof TakenMeanwhile)) throw error;
    return openDevice(pool, device);
  }
}

/** A concurrent call was first; this transaction is rolled back. */
class TakenMeanwhile extends Error {}

async function addAnonymous(client: PoolClient, device: DeviceKey): Promise<number> {
  const [account] = await addAccount.run(client, []);
  if (!account) throw new Error('the database returned no new account');
  await addFolderRow(client, account.id, { name: DEFAULT_FOLDER, isDefault: true });
  const { scope, hash, version } = await settledKey(client, device);
  const [taken] = await deviceTake.run(client, [scope, hash, account.id, version]);
  if (taken?.account_id !== account.id) throw new TakenMeanwhile();
  return account.id;
}

/** By which hash the device is stored, or is to be; nobody stores it by the other one until the transaction ends. */
export async function settledKey(client: PoolClient, device: DeviceKey): Promise<DeviceKey> {
  if (!device.other) return device;
  await lockSerial(client, device);
  const known = await findDevice(client, device);
  return known ? storedKey(device, known) : { ...device, other: undefined };
}

/** Name of the first folder of every account. */
export const DEFAULT_FOLDER = 'Favorites';

/** More than a household has, and few enough to show on one page. */
export const MAX_DEVICES = 50;

const ACCOUNT_DEVICE_COLUMNS = {
  scope: 'text',
  serial_hash: 'bytea',
  name: 'text?',
  joined_at: 'timestamptz',
  dropped_at: 'timestamptz?',
  seen_at: 'timestamptz?',
  partner_id: 'text?',
  profile: 'text?',
  calls: 'jsonb',
} as const;

export type AccountDeviceRow = RowOf<typeof ACCOUNT_DEVICE_COLUMNS>;

/** The devices of an account, then those it recently dropped and can still restore. */
export const listAccountDevices = statement(
  'account-devices',
  ACCOUNT_DEVICE_COLUMNS,
  `SELECT ${Object.keys(ACCOUNT_DEVICE_COLUMNS).join(', ')} FROM account_devices WHERE account_id = $1
   ORDER BY dropped_at DESC NULLS FIRST, joined_at, serial_hash LIMIT ${2 * MAX_DEVICES}`,
).all((accountId: number) => [accountId]);

const own = statement(
  'account-devices-own',
  { scope: 'text', serial_hash: 'bytea' },
  'SELECT scope, serial_hash FROM account_devices WHERE account_id = $1 AND dropped_at IS NULL',
);

/** All devices of an account. Bounded: pairing another one locks the account and counts them. */
export async function listOwnDevices(client: PoolClient, accountId: number): Promise<StoredDevice[]> {
  const rows = await own.run(client, [accountId]);
  return rows.map(({ scope, serial_hash: hash }) => ({ scope, hash }));
}

const accountDeviceAdd = statement(
  'account-device-add',
  {},
  `INSERT INTO account_devices (account_id, scope, serial_hash) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, scope, serial_hash) DO UPDATE SET dropped_at = NULL, joined_at = excluded.joined_at`,
);

export async function addAccountDevice(
  client: PoolClient,
  accountId: number,
  { scope, hash }: StoredDevice,
): Promise<void> {
  await accountDeviceAdd.run(client, [accountId, scope, hash]);
}

// Deletes the call history: its former owner must not see it any more.
const strike = statement(
  'account-device-strike',
  {},
  `UPDATE account_devices SET dropped_at = now(), seen_at = NULL, calls = '[]'
   WHERE account_id = $1 AND scope = $2 AND serial_hash = $3`,
);

export async function strikeDevice(
  client: PoolClient,
  accountId: number,
  { scope, hash }: StoredDevice,
): Promise<void> {
  await strike.run(client, [accountId, scope, hash]);
}

const rename = statement(
  'account-device-rename',
  { scope: 'text' },
  `UPDATE account_devices SET name = $4 WHERE account_id = $1 AND scope = $2 AND serial_hash = $3
     AND dropped_at IS NULL RETURNING scope`,
);

/** False when the account has no such device. */
export async function renameDevice(
  db: Queryable,
  accountId: number,
  { scope, hash }: StoredDevice,
  name: string,
): Promise<boolean> {
  return (await rename.run(db, [accountId, scope, hash, name])).length > 0;
}
