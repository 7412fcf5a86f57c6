import type { PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { enlistDevice, strikeDevice } from './account-devices.ts';
import { findAccount } from './accounts.ts';
import { findDevice } from './devices.ts';
import { copyPresets } from './join-presets.ts';
import { holdAccount, holdDevice, markLeft, moveDevice, nameDevice, nameSomeDevice } from './join.ts';
import type { DeviceKey } from './serial-hash.ts';

/** How long a join or a drop can be undone. */
export const UNDO_DAYS = 30;

const isRecent = statement(
  'device-changed-lately',
  { account_id: 'int8?' },
  `SELECT account_id FROM devices WHERE scope = $1 AND serial_hash = $2
   AND changed_at > now() - interval '${UNDO_DAYS} days'`,
);

export type Undone = { undone: 'join' | 'drop'; username: string };

/** Takes the last join or drop of a device back; an error says why that cannot be. */
export async function undoDevice(
  client: PoolClient,
  device: DeviceKey,
  { isOneOfSeveral = false } = {},
): Promise<Undone> {
  const [recent] = await isRecent.run(client, [device.scope, device.hash]);
  if (!recent) throw new Error(`nothing happened to this device within ${UNDO_DAYS} days`);
  const owner = await holdOwner(client, device);
  const { account_id: nowId, earlier_account_id: earlierId } = await holdDevice(client, device);
  if (owner.id === nowId) {
    if (earlierId !== null) await holdAccount(client, earlierId);
    return undoJoin(client, device, owner, earlierId);
  }
  if (owner.id === earlierId) {
    if (nowId !== null) await holdAccount(client, nowId);
    return undoDrop(client, device, owner, { sinceId: nowId, isOneOfSeveral });
  }
  throw new Error('this device was joined or dropped just now; look at it again');
}

/** The named account that the device was joined to or dropped from, held as `join.ts` says: before the device. */
async function holdOwner(client: PoolClient, { scope, hash }: DeviceKey): Promise<Named> {
  const found = await findDevice(client, scope, hash);
  for (const id of [found?.account_id, found?.earlier_account_id]) {
    const account = id ? await findAccount(client, id) : undefined;
    if (account && account.username !== null)
      return { ...(await holdAccount(client, account.id)), username: account.username };
  }
  throw new Error('this device was neither joined nor dropped');
}

interface Named {
  id: number;
  username: string;
  device_scope: string | null;
}

/** The account keeps what was copied; the device has what it had before. */
async function undoJoin(
  client: PoolClient,
  device: DeviceKey,
  { id, username }: Named,
  earlierId: number | null,
): Promise<Undone> {
  if (earlierId !== null) await markLeft(client, earlierId, null);
  await moveDevice(client, device, { to: earlierId, from: null });
  await strikeDevice(client, id, device);
  await nameSomeDevice(client, id);
  return { undone: 'join', username };
}

/** What was saved on the device since is copied, as when it is joined. */
async function undoDrop(
  client: PoolClient,
  device: DeviceKey,
  { id, username, device_scope: otherDevice }: Named,
  { sinceId, isOneOfSeveral }: { sinceId: number | null; isOneOfSeveral: boolean },
): Promise<Undone> {
  if (otherDevice !== null && !isOneOfSeveral)
    throw new Error(`the account ${username} has another device by now; drop that first`);
  if (sinceId !== null) {
    await copyPresets(client, { from: sinceId, to: id });
    await markLeft(client, sinceId, Temporal.Now.instant());
  }
  await moveDevice(client, device, { to: id, from: sinceId });
  await enlistDevice(client, id, device);
  if (otherDevice === null) await nameDevice(client, id, device);
  return { undone: 'drop', username };
}
