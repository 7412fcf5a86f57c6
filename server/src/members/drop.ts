import type { PoolClient } from 'pg';
import { Fault } from '../lib/fault.ts';
import { findDevice } from './devices.ts';
import { strikeDevice } from './account-devices.ts';
import { holdAccount, holdDevice, moveDevice, nameSomeDevice } from './join.ts';
import type { DeviceKey } from './serial-hash.ts';

export const notAssociated = (message: string): Fault =>
  new Fault(400, 'validation.deviceNotAssociated', message);

/**
 * Takes a device from its account: the account keeps its presets, the device has none. Whose account it must be is left
 * open when only the device is named.
 */
export async function dropDevice(
  client: PoolClient,
  device: DeviceKey,
  accountId: number | undefined,
): Promise<void> {
  const owner = await heldOwner(client, device);
  if (owner === undefined || (accountId !== undefined && owner !== accountId))
    throw notAssociated('This device is not tied to the account; join it first');
  await moveDevice(client, device, { to: null, from: owner });
  await strikeDevice(client, owner, device);
  await nameSomeDevice(client, owner);
}

/** The named account of a device, held before the device as everywhere, so that two calls never wait for each other. */
async function heldOwner(client: PoolClient, device: DeviceKey): Promise<number | undefined> {
  const found = await findDevice(client, device.scope, device.hash);
  const id = found?.account_id;
  if (!id) return undefined;
  const { username } = await holdAccount(client, id);
  if (username === null) return undefined;
  const { account_id: now } = await holdDevice(client, device);
  return now === id ? id : undefined;
}
