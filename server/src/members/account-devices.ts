import type { PoolClient } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import type { DeviceKey } from './serial-hash.ts';

/** More than a house has, and few enough to be shown at once. */
export const MOST_DEVICES = 50;

const COLUMNS = {
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

export type AccountDeviceRow = RowOf<typeof COLUMNS>;

const all = statement(
  'account-devices',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM account_devices WHERE account_id = $1
   ORDER BY dropped_at DESC NULLS FIRST, joined_at, serial_hash LIMIT ${2 * MOST_DEVICES}`,
);

/** What an account has, and then what it dropped last and may still take back. */
export const listAccountDevices = (db: Queryable, accountId: number): Promise<AccountDeviceRow[]> =>
  all.run(db, [accountId]);

const own = statement(
  'account-devices-own',
  { scope: 'text', serial_hash: 'bytea' },
  'SELECT scope, serial_hash FROM account_devices WHERE account_id = $1 AND dropped_at IS NULL',
);

/** All that an account has. There are few: who pairs another holds the account and counts them. */
export async function listOwnDevices(client: PoolClient, accountId: number): Promise<DeviceKey[]> {
  const rows = await own.run(client, [accountId]);
  return rows.map(({ scope, serial_hash: hash }) => ({ scope, hash }));
}

const enlist = statement(
  'account-device-enlist',
  {},
  `INSERT INTO account_devices (account_id, scope, serial_hash) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, scope, serial_hash) DO UPDATE SET dropped_at = NULL, joined_at = now()`,
);

export async function enlistDevice(
  client: PoolClient,
  accountId: number,
  { scope, hash }: DeviceKey,
): Promise<void> {
  await enlist.run(client, [accountId, scope, hash]);
}

// What it asked before it was dropped is nobody's business any more.
const strike = statement(
  'account-device-strike',
  {},
  `UPDATE account_devices SET dropped_at = now(), seen_at = NULL, calls = '[]'
   WHERE account_id = $1 AND scope = $2 AND serial_hash = $3`,
);

export async function strikeDevice(
  client: PoolClient,
  accountId: number,
  { scope, hash }: DeviceKey,
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
  { scope, hash }: DeviceKey,
  name: string,
): Promise<boolean> {
  return (await rename.run(db, [accountId, scope, hash, name])).length > 0;
}
