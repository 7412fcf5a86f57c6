import { hash } from 'node:crypto';
import { transaction } from '../db/transaction.ts';
import type { SiteAnswer } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import {
  type AccountDeviceRow,
  MOST_DEVICES,
  listAccountDevices,
  listOwnDevices,
  renameDevice,
} from '../members/account-devices.ts';
import { redeemClaim } from '../members/claims.ts';
import { findDevice } from '../members/devices.ts';
import { dropDevice } from '../members/drop.ts';
import { holdAccount, joinDevice } from '../members/join.ts';
import type { DeviceKey } from '../members/serial-hash.ts';
import { undoDevice } from '../members/undo.ts';
import { cleanText } from '../opml/characters.ts';
import { Fields } from './fields.ts';
import type { Desk, MemberCall } from './needs.ts';
import { diaryOf, radioView } from './radio-view.ts';

const LONGEST_NAME = 60;

/** The devices of the account, those dropped lately last: they can be taken back. */
export async function listRadios(call: MemberCall): Promise<SiteAnswer> {
  const rows = await listAccountDevices(call.members.pool, call.accountId);
  return { json: { radios: await Promise.all(rows.map((row) => radioView(call, idOf(row), row))) } };
}

/** Names a device and tells nothing of its serial. */
const idOf = ({ scope, serial_hash: serialHash }: AccountDeviceRow): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${scope}\0`), serialHash]), 'base64url').slice(0, 16);

const keyOf = ({ scope, serial_hash: serialHash }: AccountDeviceRow): DeviceKey => ({
  scope,
  hash: serialHash,
});

async function getRadio({ members, accountId, path }: MemberCall): Promise<AccountDeviceRow> {
  const rows = await listAccountDevices(members.pool, accountId);
  const found = rows.find((row) => idOf(row) === path['id']);
  if (!found) throw new SiteFault(404, 'site.notFound', 'You have no such radio; load the radios again');
  return found;
}

/** By the code that the device shows. What was saved on it comes behind what the account has. */
export async function pairRadio(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const code = fields.required('code');
  desk.takeFrom('pair', accountId);
  await transaction(members.pool, async (client) => {
    await holdAccount(client, accountId);
    const device = await redeemClaim(client, members.keys, code);
    if (!device)
      throw fields.refuse('code', 'No radio shows this code, or it is too old; let the radio show a new one');
    if ((await listOwnDevices(client, accountId)).length >= MOST_DEVICES)
      throw new SiteFault(
        409,
        'site.tooMany',
        `An account has at most ${MOST_DEVICES} radios; drop one first`,
      );
    await joinDevice(client, accountId, device, { isOneOfSeveral: true });
  });
  return { ...(await listRadios(call)), status: 201 };
}

export async function nameRadio(call: MemberCall): Promise<SiteAnswer> {
  const fields = new Fields(call.body);
  const name = cleanText(fields.required('name')).trim();
  if (name === '' || Array.from(name).length > LONGEST_NAME)
    throw fields.refuse('name', `A radio's name has 1 to ${LONGEST_NAME} characters`);
  const radio = await getRadio(call);
  if (!(await renameDevice(call.members.pool, call.accountId, keyOf(radio), name)))
    throw new SiteFault(409, 'site.dropped', 'This radio is dropped; take it back first');
  return listRadios(call);
}

export async function dropRadio(call: MemberCall): Promise<SiteAnswer> {
  const radio = await getRadio(call);
  if (radio.dropped_at === null)
    await transaction(call.members.pool, (client) => dropDevice(client, keyOf(radio), call.accountId));
  return listRadios(call);
}

/** The last join or drop. A device that was dropped and then used is perhaps somebody else's by now: it is paired anew. */
export async function undoRadio(call: MemberCall): Promise<SiteAnswer> {
  const radio = await getRadio(call);
  await transaction(call.members.pool, async (client) => {
    const device = await findDevice(client, radio.scope, radio.serial_hash);
    const isOwn = device?.account_id === call.accountId;
    const isFree = device?.account_id === null && device.earlier_account_id === call.accountId;
    if (!isOwn && !isFree)
      throw new SiteFault(
        409,
        'site.usedSince',
        'This radio was used by itself since; pair it again by the code that it shows',
      );
    await undoDevice(client, keyOf(radio), { isOneOfSeveral: true }).catch(asConflict);
  });
  return listRadios(call);
}

/** What cannot be undone says why in plain words, for the command of the operator as for the page. */
function asConflict(error: unknown): never {
  if (error instanceof Error && error.constructor === Error)
    throw new SiteFault(409, 'site.tooLate', `This cannot be undone: ${error.message}`);
  throw error;
}

export async function listRequests(call: MemberCall): Promise<SiteAnswer> {
  return { json: { requests: diaryOf(await getRadio(call)) } };
}
