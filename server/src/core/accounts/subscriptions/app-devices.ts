import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';

/** Of an account; its apps name them. */
export const MAX_APP_DEVICES = 50;
export const DEVICE_KINDS = ['desktop', 'laptop', 'mobile', 'server', 'other'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const listAppDevices = statement(
  'app-devices-of-account',
  { device: 'text', caption: 'text', kind: 'text' },
  `SELECT device, caption, kind FROM app_devices WHERE account_id = $1 ORDER BY device LIMIT ${MAX_APP_DEVICES}`,
).all((accountId: number) => [accountId]);

const write = statement(
  'app-device-write',
  { device: 'text' },
  `INSERT INTO app_devices AS kept (account_id, device, caption, kind)
   SELECT $1, $2, coalesce($3, ''), coalesce($4, 'other')
   WHERE (SELECT count(*) FROM app_devices WHERE account_id = $1 AND device <> $2) < ${MAX_APP_DEVICES}
   ON CONFLICT (account_id, device) DO UPDATE SET caption = coalesce($3, kept.caption), kind = coalesce($4, kept.kind)
   RETURNING device`,
);

/** What is not said of a known one stays. False when the account has as many as it may. */
export const writeAppDevice = async (
  db: Queryable,
  accountId: number,
  { device, caption, kind }: { device: string; caption?: string | undefined; kind?: DeviceKind | undefined },
): Promise<boolean> => (await write.run(db, [accountId, device, caption, kind])).length > 0;
