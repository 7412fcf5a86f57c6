import type { PoolClient } from 'pg';
import { statement } from '../../storage/db/statement.ts';
import { findAccount } from './accounts.ts';
import {
  addAccountDevice,
  findDevice,
  hashesOf,
  type StoredDevice,
  strikeDevice,
} from './devices/devices.ts';
import {
  holdAccount,
  holdKnownDevice,
  markLeft,
  moveDevice,
  nameDevice,
  nameSomeDevice,
} from './devices/link-device.ts';
import { copyPresets } from './presets/import-presets.ts';

/** How long a join or a drop can be undone. */
export const UNDO_DAYS = 30;

const isRecent = statement(
  'device-changed-lately',
  { account_id: 'int8?' },
  `SELECT account_id FROM devices WHERE scope = $1 AND serial_hash = ANY ($2::bytea[])
   AND changed_at > now() - interval '${UNDO_DAYS} days'`,
);

export type Undone = { undone: 'join' | 'drop'; username: string };

/** Undoes the last join or drop of a device; throws an error that says why when it cannot. */
export async function undoDevice(
  client: PoolClient,
  device: StoredDevice,
  { isOneOfSeveral = false } = {},
): Promise<Undone> {
  const [recent] = await isRecent.run(client, [device.scope, hashesOf(device)]);
  if (!recent) throw new Error(`this device was neither joined nor dropped in the last ${UNDO_DAYS} days`);
  const owner = await holdOwner(client, device);
  const held = await holdKnownDevice(client, device);
  if (held && owner.id === held.account_id) {
    const { earlier_account_id: earlierId, key } = held;
    if (earlierId !== null) await holdAccount(client, earlierId);
    return undoLink(client, key, owner, earlierId);
  }
  if (held && owner.id === held.earlier_account_id) {
    const { account_id: nowId, key } = held;
    if (nowId !== null) await holdAccount(client, nowId);
    return undoUnlink(client, key, owner, { sinceId: nowId, isOneOfSeveral });
  }
  throw new Error('this device was joined or dropped just now; check its state again');
}

/** The named account the device was joined to or dropped from, locked before the device (see `link-device.ts`). */
async function holdOwner(client: PoolClient, device: StoredDevice): Promise<Named> {
  const found = await findDevice(client, device);
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

/** The account keeps the copied presets; the device gets back its own. */
async function undoLink(
  client: PoolClient,
  device: StoredDevice,
  { id, username }: Named,
  earlierId: number | null,
): Promise<Undone> {
  if (earlierId !== null) await markLeft(client, earlierId, null);
  await moveDevice(client, device, { to: earlierId, from: null });
  await strikeDevice(client, id, device);
  await nameSomeDevice(client, id);
  return { undone: 'join', username };
}

/** Presets saved on the device since are copied, as by a join. */
async function undoUnlink(
  client: PoolClient,
  device: StoredDevice,
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
  await addAccountDevice(client, id, device);
  if (otherDevice === null) await nameDevice(client, id, device);
  return { undone: 'drop', username };
}
