import {
  movePreset,
  orderPresets,
  removePresetById,
} from '../../../core/accounts/presets/arrange-presets.ts';
import {
  labelOf,
  parseSavedAddress,
  SAVED_ADDRESS_RULE,
} from '../../../core/accounts/presets/preset-rules.ts';
import type { PresetItem } from '../../../core/accounts/presets/presets.ts';
import { addPreset, setPreset } from '../../../core/accounts/presets/save-preset.ts';
import { findByAnyId, findPresetTarget } from '../../../core/directory/lookup/by-any-id.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import { Fields } from './fields.ts';
import { findOwnFolder } from './folders.ts';
import type { SiteApiContext, MemberCall } from './deps.ts';
import { readFolders } from './preset-list.ts';

const MAX_ADDRESS_LENGTH = 2048;
const MAX_NUMBER = 1000;

export const answerPresets = async (call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> => ({
  json: { folders: await foldersOf(call, context) },
});

const foldersOf = ({ members, accountId, caller: { words } }: MemberCall, context: SiteApiContext) =>
  readFolders(context, members, { accountId, words });

/** Returns all folders, as every change does, so that the page also shows changes made elsewhere. */
export async function savePreset(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const item = fields.has('url') ? readAddress(fields) : await readItem(fields, context);
  const folderId = await findOwnFolder(call, fields);
  const number = fields.wholeNumber('number', MAX_NUMBER);
  if (number === undefined) await addPreset(members.pool, accountId, folderId, item);
  else await setPreset(members.pool, accountId, { folderId, number }, item);
  return { ...(await answerPresets(call, context)), status: 201 };
}

function readAddress(fields: Fields): PresetItem {
  const address = parseSavedAddress(fields.required('url', MAX_ADDRESS_LENGTH));
  if (address === undefined) throw fields.refuse('url', `Give ${SAVED_ADDRESS_RULE}`);
  return { kind: 'u', address, label: labelOf(fields.text('name') ?? '') || labelOf(address) };
}

async function readItem(fields: Fields, context: SiteApiContext): Promise<PresetItem> {
  const text = fields.required('guideId');
  const found = await findByAnyId(text, context.aliases, (id) => findPresetTarget(id, context));
  if (!found) throw fields.refuse('guideId', 'There is no such station (s…) or show (p…) here');
  return { kind: found.kind, itemId: found.itemId, label: labelOf(found.name) };
}

export async function answerRemovePreset(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const id = presetId(call.path['id']);
  if (!(await removePresetById(call.members.pool, call.accountId, id))) throw noSuchPreset();
  return answerPresets(call, context);
}

/** Moves it to the end of another folder. */
export async function changePreset(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const fields = new Fields(call.body);
  fields.required('folderId');
  const folderId = (await findOwnFolder(call, fields)) ?? 0;
  const id = presetId(call.path['id']);
  if (!(await movePreset(call.members.pool, call.accountId, id, folderId))) throw noSuchPreset();
  return answerPresets(call, context);
}

export async function putInOrder(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const fields = new Fields(call.body);
  fields.required('folderId');
  const folderId = (await findOwnFolder(call, fields)) ?? 0;
  const ids = fields.texts('ids').map(presetId);
  if (await orderPresets(call.members.pool, call.accountId, folderId, ids))
    return answerPresets(call, context);
  throw new SiteFault(
    409,
    'site.changedMeanwhile',
    'The list does not match the presets of this folder, which has changed meanwhile; load the presets again',
    'ids',
  );
}

/** The same message for a preset that does not exist and for somebody else's. */
const noSuchPreset = (): SiteFault =>
  new SiteFault(404, 'site.notFound', 'You have no such preset; load the presets again');

function presetId(text = ''): number {
  const id = numberOf('u', `u${text}`);
  if (id === undefined) throw noSuchPreset();
  return id;
}
