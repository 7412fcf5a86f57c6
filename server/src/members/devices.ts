import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { addFolderRow } from './folders.ts';
import type { DeviceKey } from './serial-hash.ts';

const COLUMNS = { account_id: 'int8?', earlier_account_id: 'int8?' } as const;

export type DeviceRow = RowOf<typeof COLUMNS>;

const find = statement(
  'device-find',
  COLUMNS,
  'SELECT account_id, earlier_account_id FROM devices WHERE scope = $1 AND serial_hash = $2',
);

/** Whose device it is. The account is a read of its own, for it may live on another server. */
export async function findDevice(
  db: Queryable,
  scope: string,
  serialHash: Buffer,
): Promise<DeviceRow | undefined> {
  const [device] = await find.run(db, [scope, serialHash]);
  return device;
}

const addAccount = statement(
  'account-add-anonymous',
  { id: 'int8' },
  'INSERT INTO accounts (folder_count) VALUES (0) RETURNING id',
);
const take = statement(
  'device-take',
  { account_id: 'int8?' },
  `INSERT INTO devices (scope, serial_hash, account_id) VALUES ($1, $2, $3)
   ON CONFLICT (scope, serial_hash) DO UPDATE SET account_id = coalesce(devices.account_id, $3)
   RETURNING account_id`,
);

/** The account of a device; an anonymous one with a default folder is made when it has none. Only a write does this. */
export async function openDevice(pool: Pool, { scope, hash }: DeviceKey): Promise<number> {
  const known = await findDevice(pool, scope, hash);
  if (known?.account_id) return known.account_id;
  try {
    return await transaction(pool, (client) => addAnonymous(client, { scope, hash }));
  } catch (error) {
    if (!(error instanceof TakenMeanwhile)) throw error;
    return openDevice(pool, { scope, hash });
  }
}

/** Another call was first; what this one made is rolled back. */
class TakenMeanwhile extends Error {}

async function addAnonymous(client: PoolClient, { scope, hash }: DeviceKey): Promise<number> {
  const [account] = await addAccount.run(client, []);
  if (!account) throw new Error('the database returned no new account');
  await addFolderRow(client, account.id, { name: DEFAULT_FOLDER, isDefault: true });
  const [device] = await take.run(client, [scope, hash, account.id]);
  if (device?.account_id !== account.id) throw new TakenMeanwhile();
  return account.id;
}

/** What the first folder of every account is called. */
export const DEFAULT_FOLDER = 'Favorites';
