import { findAccount } from '../../../core/accounts/accounts.ts';
import { type DeviceKey, findDevice } from '../../../core/accounts/devices/devices.ts';
import {
  PAIRING_CODE_MINUTES,
  unlinkDevice,
  linkDevice,
  notAssociated,
  addPairingCode,
  redeemPairingCode,
} from '../../../core/accounts/devices/link-device.ts';
import { textOutline } from '../../../formats/opml/outlines.ts';
import { Fault } from '../../../lib/fault.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { deviceOf, signedIn } from '../call/acting-member.ts';
import { DONE, type Answer, type Call } from '../call/endpoint.ts';
import { type AccountActionContext } from './context.ts';

/** Joins a device to an account: by its serial, or by the code it shows. */
export async function join({ members }: AccountActionContext, call: Call): Promise<Answer> {
  const accountId = await signedIn(call, members);
  const device = deviceOf(call, members.keys);
  const code = call.params.text('code');
  if (!device && code === undefined)
    throw new Fault(400, 'request.invalid', "Give the 'serial' of the device, or the 'code' that it shows");
  await transaction(members.pool, async (client) => {
    const found = device ?? (await redeemPairingCode(client, members.keys, code ?? ''));
    if (!found)
      throw new Fault(
        400,
        'validation.error',
        'This code is wrong or has expired; get a new one from the device',
      );
    await linkDevice(client, accountId, found);
  });
  return DONE;
}

/** By name and password or, for devices that store neither, by the serial alone. */
export async function drop({ members }: AccountActionContext, call: Call): Promise<Answer> {
  const isNamed = call.caller.username !== undefined || call.params.has('password');
  const accountId = isNamed ? await signedIn(call, members) : undefined;
  const device = requireDevice(call, members);
  await transaction(members.pool, (client) => unlinkDevice(client, device, accountId));
  return DONE;
}

/** The owner of a device. */
export async function query({ members }: AccountActionContext, call: Call): Promise<Answer> {
  const device = await findDevice(members.pool, requireDevice(call, members));
  const account = device?.account_id ? await findAccount(members.pool, device.account_id) : undefined;
  // Clients match this text.
  if (!account?.username) throw notAssociated('No associated account');
  return { outlines: [textOutline(account.username)], noStore: true };
}

/** A code for a device without a keyboard, with which its owner can join it elsewhere. */
export async function claim({ members, budgets }: AccountActionContext, call: Call): Promise<Answer> {
  const device = requireDevice(call, members);
  await budgets.take('claim', call.caller.securityIp);
  const code = await addPairingCode(members.pool, members.keys, device);
  const text = call.caller.words.text('account.claim', { code, minutes: PAIRING_CODE_MINUTES });
  return { outlines: [textOutline(text, { key: 'claim' })], noStore: true };
}

function requireDevice(call: Call, { keys }: AccountActionContext['members']): DeviceKey {
  const device = deviceOf(call, keys);
  if (!device) throw new Fault(400, 'request.invalid', "Required parameter 'serial' not provided");
  return device;
}
