import { findByAnyId } from '../directory/by-any-id.ts';
import { findKeepable } from '../directory/keepable.ts';
import type { SiteAnswer } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import { addPreset } from '../members/add-preset.ts';
import { movePreset } from '../members/move-preset.ts';
import { orderPresets, removePresetById } from '../members/order-presets.ts';
import type { PresetItem } from '../members/preset-item.ts';
import { setPreset } from '../members/set-preset.ts';
import { SAVED_ADDRESS_RULE, labelOf, parseSavedAddress } from '../opml/saved-texts.ts';
import { Fields } from './fields.ts';
import { findOwnFolder } from './folders.ts';
import type { Desk, MemberCall } from './needs.ts';
import { readFolders } from './preset-list.ts';

const LONGEST_ADDRESS = 2048;
const LARGEST_NUMBER = 1000;

export const listPresets = async (call: MemberCall, desk: Desk): Promise<SiteAnswer> => ({
  json: { folders: await foldersOf(call, desk) },
});

const foldersOf = ({ members, accountId, caller: { words } }: MemberCall, desk: Desk) =>
  readFolders(desk, members, { accountId, words });

/** Answers with all folders, as every change does: the page shows what is there now, also of what others changed. */
export async function savePreset(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const item = fields.has('url') ? readAddress(fields) : await readItem(fields, desk);
  const folderId = await findOwnFolder(call, fields);
  const number = fields.wholeNumber('number', LARGEST_NUMBER);
  if (number === undefined) await addPreset(members.pool, accountId, folderId, item);
  else await setPreset(members.pool, accountId, { folderId, number }, item);
  return { ...(await listPresets(call, desk)), status: 201 };
}

function readAddress(fields: Fields): PresetItem {
  const address = parseSavedAddress(fields.required('url', LONGEST_ADDRESS));
  if (address === undefined) throw fields.refuse('url', `Give ${SAVED_ADDRESS_RULE}`);
  return { kind: 'u', address, label: labelOf(fields.text('name') ?? '') || labelOf(address) };
}

async function readItem(fields: Fields, desk: Desk): Promise<PresetItem> {
  const text = fields.required('guideId');
  const found = await findByAnyId(text, desk.aliases, (id) => findKeepable(id, desk));
  if (!found) throw fields.refuse('guideId', 'There is no such station (s…) or show (p…) here');
  return { kind: found.kind, itemId: found.itemId, label: labelOf(found.name) };
}

export async function removePreset(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const id = presetId(call.path['id']);
  if (!(await removePresetById(call.members.pool, call.accountId, id))) throw noSuchPreset();
  return listPresets(call, desk);
}

/** Into another folder, behind what is there. */
export async function changePreset(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const fields = new Fields(call.body);
  fields.required('folderId');
  const folderId = (await findOwnFolder(call, fields)) ?? 0;
  const id = presetId(call.path['id']);
  if (!(await movePreset(call.members.pool, call.accountId, id, folderId))) throw noSuchPreset();
  return listPresets(call, desk);
}

export async function putInOrder(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const fields = new Fields(call.body);
  fields.required('folderId');
  const folderId = (await findOwnFolder(call, fields)) ?? 0;
  const ids = fields.texts('ids').map(presetId);
  if (await orderPresets(call.members.pool, call.accountId, folderId, ids)) return listPresets(call, desk);
  throw new SiteFault(
    409,
    'site.changedMeanwhile',
    'These are not all presets of this folder, and no others: it was changed meanwhile. Load the presets again',
    'ids',
  );
}

/** One text for what never was and for what is somebody else's. */
const noSuchPreset = (): SiteFault =>
  new SiteFault(404, 'site.notFound', 'You have no such preset; load the presets again');

function presetId(text = ''): number {
  const id = numberOf('u', `u${text}`);
  if (id === undefined) throw noSuchPreset();
  return id;
}
