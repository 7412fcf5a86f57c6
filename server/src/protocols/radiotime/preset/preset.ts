import type { Pool } from 'pg';
import { movePreset, removePreset } from '../../../core/accounts/presets/arrange-presets.ts';
import {
  addFolder,
  listFolders,
  removeFolder,
  renameFolder,
} from '../../../core/accounts/presets/folders.ts';
import { labelOf, MAX_PRESETS, noSuchFolder } from '../../../core/accounts/presets/preset-rules.ts';
import {
  findSavedAddress,
  listPresets,
  type PresetItem,
  type PresetKey,
} from '../../../core/accounts/presets/presets.ts';
import { addPreset, setPreset } from '../../../core/accounts/presets/save-preset.ts';
import { findByAnyId, findPresetTarget } from '../../../core/directory/lookup/by-any-id.ts';
import { withoutQuestionMark } from '../../../formats/opml/links.ts';
import { folderLine } from '../../../formats/opml/preset-outlines.ts';
import { Fault } from '../../../lib/fault.ts';
import { numberOf, type ParsedGuideId, parseGuideId } from '../../../lib/guide-id.ts';
import { actingAccount, lookingAccount } from '../call/acting-member.ts';
import { DONE, type Action, type Call, type Endpoint } from '../call/endpoint.ts';
import { type PresetAction, type PresetContext, type PresetDeps, withMembers } from './deps.ts';
import {
  addressOf,
  folderNameOf,
  folderOf,
  itemIdOf,
  presetNumberOf,
  requiredFolderOf,
} from './parameters.ts';

export type { PresetDeps };

/** Saving stations, shows and addresses, and their folders. Some clients use an alias of the page. */
export function presetEndpoints(deps: PresetDeps): Endpoint[] {
  const actions = new Map<string, Action>([
    ['add', withMembers(deps, addItem)],
    ['remove', withMembers(deps, removeItem)],
    ['addfolder', withMembers(deps, addNamedFolder)],
    ['removefolder', withMembers(deps, removeNamedFolder)],
    ['renamefolder', withMembers(deps, renameNamedFolder)],
    ['listfolders', withMembers(deps, showFolders)],
  ]);
  const more: [string, Action][] = [['move', withMembers(deps, moveItem)]];
  return [
    { paths: ['/Preset.ashx'], actions },
    { paths: ['/favorites.ashx'], actions: new Map([...actions, ...more]) },
  ];
}

/** Validates everything before an account is created for a device without one. */
const addItem: PresetAction = async (call, deps) => {
  const folderId = folderOf(call.params);
  const number = presetNumberOf(call.params);
  const wanted = await readItem(call, deps);
  const accountId = await accountFor(call, deps, { folderId, isSaved: 'letter' in wanted });
  const item =
    'letter' in wanted
      ? await getSavedItem(accountId, wanted, deps)
      : await asSaved(accountId, wanted, deps.members.pool);
  const { pool } = deps.members;
  if (number === undefined) await addPreset(pool, accountId, folderId, item);
  else await setPreset(pool, accountId, { folderId, number }, item);
  return DONE;
};

/** The item to save; for a previously saved address only its id, because the account is not known yet. */
async function readItem({ params }: Call, deps: PresetContext): Promise<PresetItem | ParsedGuideId> {
  const address = addressOf(params);
  const id = itemIdOf(params);
  if (id !== undefined) {
    const own = parseGuideId(id);
    return own?.letter === 'u' ? own : getCatalogueItem(id, deps);
  }
  if (address === undefined) throw nothingNamed();
  return { kind: 'u', address, label: labelOf(params.text('name') ?? '') || labelOf(address) };
}

/** Creates an account for a new device only if the call refers to nothing of an existing account. */
function accountFor(
  call: Call,
  deps: PresetContext,
  { folderId, isSaved }: { folderId: number | undefined; isSaved: boolean },
): Promise<number> {
  if (folderId !== undefined) return owner(call, deps);
  return isSaved ? owner(call, deps, unknownItem) : actingAccount(call, deps.members);
}

/** Removing a missing preset succeeds. Items that are gone from the directory can be removed too. */
const removeItem: PresetAction = async (call, deps) => {
  const folderId = folderOf(call.params);
  const keys = await readKeys(call, deps);
  const accountId = await lookingAccount(call, deps.members);
  if (accountId !== undefined) await removeFirst(deps.members.pool, accountId, folderId, keys);
  else if (folderId !== undefined) throw noSuchFolder();
  return DONE;
};

/** By its own id or address first; if no preset has it, by the item its alias leads to, or the address that is shown so. */
async function removeFirst(
  pool: Pool,
  accountId: number,
  folderId: number | undefined,
  keys: readonly PresetKey[],
): Promise<void> {
  for (const key of keys) if (await removePreset(pool, accountId, folderId, key)) return;
}

async function readKeys({ params }: Call, { aliases }: PresetContext): Promise<PresetKey[]> {
  const address = addressOf(params);
  const id = itemIdOf(params);
  if (id === undefined) {
    if (address === undefined) throw nothingNamed();
    const saved = withoutQuestionMark(address);
    return [address, ...(saved === undefined ? [] : [saved])].map((each) => ({ kind: 'u', address: each }));
  }
  const keys = [parseGuideId(id), await aliases.find(id)].flatMap((found) => keyOf(found) ?? []);
  if (keys.length === 0)
    throw new Fault(400, 'request.idInvalid', "Give the preset's own guide_id (s…, p…, u…)");
  return keys;
}

function keyOf(id: ParsedGuideId | undefined): PresetKey | undefined {
  const { letter, number: itemId = 0 } = id ?? {};
  return letter === 's' || letter === 'p' || letter === 'u' ? { kind: letter, itemId } : undefined;
}

/** A preset by number; for a saved address the number in its guide ID. */
const parseFavoriteId = (text: string): number | undefined =>
  numberOf('u', /^\d/.test(text) ? `u${text}` : text);

const moveItem: PresetAction = async (call, deps) => {
  const { params } = call;
  const folderId = requiredFolderOf(params);
  const id = params.required('favoriteId', parseFavoriteId, 'request.idInvalid');
  if (await movePreset(deps.members.pool, await owner(call, deps), id, folderId)) return DONE;
  throw new Fault(400, 'request.idInvalid', 'The account has no such preset');
};

const nothingNamed = (): Fault =>
  new Fault(400, 'request.invalid', "Give the 'id' of a station or show, or a 'url'");

/** An item that anybody can save: an existing station or show, by its own id or an alias. */
async function getCatalogueItem(text: string, deps: PresetContext): Promise<PresetItem> {
  const found = await findByAnyId(text, deps.aliases, (id) => findPresetTarget(id, deps));
  if (!found) throw unknownItem();
  return { kind: found.kind, itemId: found.itemId, label: labelOf(found.name) };
}

async function getSavedItem(
  accountId: number,
  { number }: ParsedGuideId,
  { db }: PresetContext,
): Promise<PresetItem> {
  const saved = await findSavedAddress(db, accountId, number);
  if (!saved) throw unknownItem();
  return { kind: 'u', address: saved.address, label: saved.label ?? saved.address.slice(0, 200) };
}

/** Lists show a saved address with a question mark: who saves what they show means the address that is there. */
async function asSaved(accountId: number, item: PresetItem, pool: Pool): Promise<PresetItem> {
  const saved = item.kind === 'u' ? withoutQuestionMark(item.address) : undefined;
  if (item.kind !== 'u' || saved === undefined) return item;
  const folderIds = (await listFolders(pool, accountId)).map(({ id }) => id);
  const rows = await listPresets(pool, { accountId, folderIds }, MAX_PRESETS);
  const addresses = new Set(rows.map(({ address }) => address));
  return addresses.has(saved) && !addresses.has(item.address) ? { ...item, address: saved } : item;
}

const unknownItem = (): Fault =>
  new Fault(
    400,
    'request.idInvalid',
    'There is no such station (s…) or show (p…) here, and no such address (u…) of this account',
  );

const addNamedFolder: PresetAction = async (call, { members }) => {
  const name = folderNameOf(call.params);
  const id = await addFolder(members.pool, await actingAccount(call, members), name);
  return { outlines: [folderLine({ id, name })], noStore: true };
};

const renameNamedFolder: PresetAction = async (call, deps) => {
  const folderId = requiredFolderOf(call.params);
  const name = folderNameOf(call.params);
  await renameFolder(deps.members.pool, await owner(call, deps), folderId, name);
  return DONE;
};

const removeNamedFolder: PresetAction = async (call, deps) => {
  const folderId = requiredFolderOf(call.params);
  await removeFolder(deps.members.pool, await owner(call, deps), folderId);
  return DONE;
};

/** The account for a call about its own items: a caller without an account has none. */
async function owner(call: Call, { members }: PresetContext, missing = noSuchFolder): Promise<number> {
  const accountId = await lookingAccount(call, members);
  if (accountId === undefined) throw missing();
  return accountId;
}

const showFolders: PresetAction = async (call, { members }) => {
  const accountId = await lookingAccount(call, members);
  const folders = accountId === undefined ? [] : await listFolders(members.pool, accountId);
  return { outlines: folders.map((folder) => folderLine(folder)), noStore: true };
};
