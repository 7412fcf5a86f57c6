import { hash } from 'node:crypto';
import {
  type AccountDeviceRow,
  findDevice,
  listAccountDevices,
  listOwnDevices,
  MAX_DEVICES,
  renameDevice,
  type StoredDevice,
} from '../../../../core/accounts/devices/devices.ts';
import {
  unlinkDevice,
  holdAccount,
  linkDevice,
  redeemPairingCode,
} from '../../../../core/accounts/devices/link-device.ts';
import { undoDevice } from '../../../../core/accounts/undo.ts';
import { cleanMarkupText } from '../../../../formats/opml/characters.ts';
import { listShows } from '../../../../storage/catalog/shows/shows.ts';
import { transaction } from '../../../../storage/db/transaction.ts';
import { type SiteAnswer, SiteFault } from '../../session/site-endpoint.ts';
import { Fields } from '../fields.ts';
import type { SiteApiContext, MemberCall } from '../deps.ts';
import { namesIn, radioActs } from './radio-activity.ts';
import { callsOf, diaryOf, radioView } from './radio-view.ts';

const MAX_NAME_LENGTH = 60;

/** The account's devices; recently dropped ones, which can be restored, come last. */
export async function listRadios(call: MemberCall): Promise<SiteAnswer> {
  const rows = await listAccountDevices(call.members.pool, call.accountId);
  return { json: { radios: await Promise.all(rows.map((row) => radioView(call, idOf(row), row))) } };
}

/** Identifies a device without revealing its serial. */
const idOf = ({ scope, serial_hash: serialHash }: AccountDeviceRow): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${scope}\0`), serialHash]), 'base64url').slice(0, 16);

const keyOf = ({ scope, serial_hash: serialHash }: AccountDeviceRow): StoredDevice => ({
  scope,
  hash: serialHash,
});

async function getRadio({ members, accountId, path }: MemberCall): Promise<AccountDeviceRow> {
  const rows = await listAccountDevices(members.pool, accountId);
  const found = rows.find((row) => idOf(row) === path['id']);
  if (!found) throw new SiteFault(404, 'site.notFound', 'You have no such radio; load the radios again');
  return found;
}

/** By the code that the device shows. Its own presets are appended to the account's. */
export async function pairRadio(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const code = fields.required('code');
  context.takeFrom('pair', accountId);
  await transaction(members.pool, async (client) => {
    await holdAccount(client, accountId);
    const device = await redeemPairingCode(client, members.keys, code);
    if (!device)
      throw fields.refuse('code', 'This code is wrong or has expired; get a new one from the radio');
    if ((await listOwnDevices(client, accountId)).length >= MAX_DEVICES)
      throw new SiteFault(
        409,
        'site.tooMany',
        `An account has at most ${MAX_DEVICES} radios; drop one first`,
      );
    await linkDevice(client, accountId, device, { isOneOfSeveral: true });
  });
  return { ...(await listRadios(call)), status: 201 };
}

export async function nameRadio(call: MemberCall): Promise<SiteAnswer> {
  const fields = new Fields(call.body);
  const name = cleanMarkupText(fields.required('name')).trim();
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH)
    throw fields.refuse('name', `A radio's name has 1 to ${MAX_NAME_LENGTH} characters`);
  const radio = await getRadio(call);
  if (!(await renameDevice(call.members.pool, call.accountId, keyOf(radio), name)))
    throw new SiteFault(409, 'site.dropped', 'This radio was dropped; restore it first');
  return listRadios(call);
}

export async function dropRadio(call: MemberCall): Promise<SiteAnswer> {
  const radio = await getRadio(call);
  if (radio.dropped_at === null)
    await transaction(call.members.pool, (client) => unlinkDevice(client, keyOf(radio), call.accountId));
  return listRadios(call);
}

/**
 * Undoes the last join or drop. A device used after it was dropped may belong to somebody else by now and must be
 * paired again.
 */
export async function undoRadio(call: MemberCall): Promise<SiteAnswer> {
  const radio = await getRadio(call);
  await transaction(call.members.pool, async (client) => {
    const device = await findDevice(client, keyOf(radio));
    const isOwn = device?.account_id === call.accountId;
    const isFree = device?.account_id === null && device.earlier_account_id === call.accountId;
    if (!isOwn && !isFree)
      throw new SiteFault(
        409,
        'site.usedSince',
        'This radio was used on its own since then; pair it again with the code it shows',
      );
    await undoDevice(client, keyOf(radio), { isOneOfSeveral: true }).catch(asConflict);
  });
  return listRadios(call);
}

/** Turns the reason into a conflict; the operator's command shows the same text. */
function asConflict(error: unknown): never {
  if (error instanceof Error && error.constructor === Error)
    throw new SiteFault(409, 'site.tooLate', `This cannot be undone: ${error.message}`);
  throw error;
}

/** What a radio did lately: in sentences, and as the calls that they are made from. */
export async function listRequests(call: MemberCall, { db, directory }: SiteApiContext): Promise<SiteAnswer> {
  const radio = await getRadio(call);
  const calls = callsOf(radio);
  const { words } = call.caller;
  const showIds = calls.map(({ what }) => Number(/ p(\d{1,15})$/.exec(what)?.[1])).filter(Boolean);
  const shows = showIds.length > 0 ? await listShows(db, showIds) : [];
  const titles = new Map(shows.map(({ id, title }) => [id, title]));
  const acts = radioActs(calls, words, namesIn(directory.current(), words, titles));
  return { json: { acts, requests: diaryOf(radio) } };
}
