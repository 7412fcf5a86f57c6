import type { Pool } from 'pg';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';

/** Of an account; its apps name them. */
export const MAX_APP_DEVICES = 50;
export const DEVICE_KINDS = ['desktop', 'laptop', 'mobile', 'server', 'other'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const listAppDevices = statement(
  'app-devices-of-account',
  { device: 'text', caption: 'text', kind: 'text' },
  `SELECT device, caption, kind FROM app_devices WHERE account_id = $1 ORDER BY device LIMIT ${MAX_APP_DEVICES}`,
).all((accountId: number) => [accountId]);

const countOthers = statement(
  'app-devices-others',
  { others: 'int8' },
  'SELECT count(*) AS others FROM app_devices WHERE account_id = $1 AND device <> $2',
).oneValue((accountId: number, device: string) => [accountId, device]);
const write = statement(
  'app-device-write',
  {},
  `INSERT INTO app_devices AS kept (account_id, device, caption, kind)
   VALUES ($1, $2, coalesce($3::text, ''), coalesce($4::text, 'other'))
   ON CONFLICT (account_id, device) DO UPDATE
     SET caption = coalesce($3::text, kept.caption), kind = coalesce($4::text, kept.kind)`,
);

/** What is not said of a known one stays. False when the account has as many as it may. */
export const writeAppDevice = (
  pool: Pool,
  accountId: number,
  { device, caption, kind }: { device: string; caption?: string | undefined; kind?: DeviceKind | undefined },
): Promise<boolean> =>
  transaction(pool, async (client) => {
    // Two at once would each count those that were there before.
    await lockAccount(client, accountId);
    if ((await countOthers(client, accountId, device)) >= MAX_APP_DEVICES) return false;
    await write.run(client, [accountId, device, caption, kind]);
    return true;
  });
