import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { account_id: 'int8', earlier_account_id: 'int8?' } as const;

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
