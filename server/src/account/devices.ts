import { transaction } from '../db/transaction.ts';
import { deviceOf, signedIn } from '../http/acting-member.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { findAccount } from '../members/accounts.ts';
import { CLAIM_MINUTES, openClaim, redeemClaim } from '../members/claims.ts';
import { findDevice } from '../members/devices.ts';
import { dropDevice, notAssociated } from '../members/drop.ts';
import { joinDevice } from '../members/join.ts';
import type { DeviceKey } from '../members/serial-hash.ts';
import { textOutline } from '../opml/outlines.ts';
import type { Desk } from './desk.ts';
import { DONE } from './done.ts';

/** Ties a device to an account: by its serial, or by the code that it shows. */
export async function join({ doors }: Desk, call: Call): Promise<Answer> {
  const accountId = await signedIn(call, doors);
  const device = deviceOf(call, doors.keys);
  const code = call.params.text('code');
  if (!device && code === undefined)
    throw new Fault(400, 'request.invalid', "Give the 'serial' of the device, or the 'code' that it shows");
  await transaction(doors.pool, async (client) => {
    const found = device ?? (await redeemClaim(client, doors.keys, code ?? ''));
    if (!found)
      throw new Fault(
        400,
        'validation.error',
        'No device shows this code, or it is too old; ask for a new one',
      );
    await joinDevice(client, accountId, found);
  });
  return DONE;
}

/** With name and password, or, for devices that know neither, by the serial alone. */
export async function drop({ doors }: Desk, call: Call): Promise<Answer> {
  const isNamed = call.caller.username !== undefined || call.params.has('password');
  const accountId = isNamed ? await signedIn(call, doors) : undefined;
  const device = requireDevice(call, doors);
  await transaction(doors.pool, (client) => dropDevice(client, device, accountId));
  return DONE;
}

/** Whose device it is. */
export async function query({ doors }: Desk, call: Call): Promise<Answer> {
  const { scope, hash } = requireDevice(call, doors);
  const device = await findDevice(doors.pool, scope, hash);
  const account = device?.account_id ? await findAccount(doors.pool, device.account_id) : undefined;
  // Clients match these words.
  if (!account?.username) throw notAssociated('No associated account');
  return { outlines: [textOutline(account.username)], noStore: true };
}

/** What a device without a keyboard shows, so that its owner can join it elsewhere. */
export async function claim({ doors, budgets }: Desk, call: Call): Promise<Answer> {
  const device = requireDevice(call, doors);
  budgets.take('claim', call.caller.securityIp);
  const code = await openClaim(doors.pool, doors.keys, device);
  const text = call.caller.words.text('account.claim', { code, minutes: CLAIM_MINUTES });
  return { outlines: [textOutline(text, { key: 'claim' })], noStore: true };
}

function requireDevice(call: Call, { keys }: Desk['doors']): DeviceKey {
  const device = deviceOf(call, keys);
  if (!device) throw new Fault(400, 'request.invalid', "Required parameter 'serial' not provided");
  return device;
}
