import { actingAccount, lookingAccount } from '../http/acting-member.ts';
import type { Call } from '../http/endpoint.ts';
import { addFolder, removeFolder, renameFolder } from '../members/edit-folders.ts';
import { listFolders } from '../members/folders.ts';
import { noSuchFolder } from '../members/preset-faults.ts';
import { folderLine } from '../opml/preset-outlines.ts';
import { DONE, type PresetAction, type PresetDoors } from './needs.ts';
import { folderNameOf, requiredFolderOf } from './parameters.ts';

export const addNamedFolder: PresetAction = async (call, { doors }) => {
  const name = folderNameOf(call.params);
  const id = await addFolder(doors.pool, await actingAccount(call, doors), name);
  return { outlines: [folderLine({ id, name })], noStore: true };
};

export const renameNamedFolder: PresetAction = async (call, needs) => {
  const folderId = requiredFolderOf(call.params);
  const name = folderNameOf(call.params);
  await renameFolder(needs.doors.pool, await owner(call, needs), folderId, name);
  return DONE;
};

export const removeNamedFolder: PresetAction = async (call, needs) => {
  const folderId = requiredFolderOf(call.params);
  await removeFolder(needs.doors.pool, await owner(call, needs), folderId);
  return DONE;
};

/** The account behind a call that names something of its own: who has no account has nothing. */
export async function owner(call: Call, { doors }: PresetDoors, missing = noSuchFolder): Promise<number> {
  const accountId = await lookingAccount(call, doors);
  if (accountId === undefined) throw missing();
  return accountId;
}

export const showFolders: PresetAction = async (call, { doors }) => {
  const accountId = await lookingAccount(call, doors);
  const folders = accountId === undefined ? [] : await listFolders(doors.pool, accountId);
  return { outlines: folders.map((folder) => folderLine(folder)), noStore: true };
};
