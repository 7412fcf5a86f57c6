import {
  addFolder,
  listFolders,
  removeFolder,
  renameFolder,
} from '../../../core/accounts/presets/folders.ts';
import { FOLDER_NAME_RULE, parseFolderName } from '../../../core/accounts/presets/preset-rules.ts';
import { guideId, numberOf } from '../../../lib/guide-id.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import { Fields } from './fields.ts';
import type { MemberCall } from './deps.ts';

export async function makeFolder({ members, accountId, body }: MemberCall): Promise<SiteAnswer> {
  const name = readName(body);
  const id = await addFolder(members.pool, accountId, name);
  return { status: 201, json: { id: guideId('f', id), name } };
}

export async function nameFolder(call: MemberCall): Promise<SiteAnswer> {
  const name = readName(call.body);
  await renameFolder(call.members.pool, call.accountId, await ownFolder(call, call.path['id'] ?? ''), name);
  return { json: { id: call.path['id'], name } };
}

/** Also deletes its presets. */
export async function deleteFolder(call: MemberCall): Promise<SiteAnswer> {
  await removeFolder(call.members.pool, call.accountId, await ownFolder(call, call.path['id'] ?? ''));
  return { json: {} };
}

function readName(body: unknown): string {
  const fields = new Fields(body);
  const name = parseFolderName(fields.required('name'));
  if (name === undefined) throw fields.refuse('name', FOLDER_NAME_RULE);
  return name;
}

/** The folder that a call names; undefined, which means the default one, when it names none. */
export async function findOwnFolder(call: MemberCall, fields: Fields): Promise<number | undefined> {
  const text = fields.text('folderId');
  return text === undefined ? undefined : ownFolder(call, text);
}

/** The same message for a folder that does not exist and for somebody else's. */
async function ownFolder({ members, accountId }: MemberCall, text: string): Promise<number> {
  const id = numberOf('f', text);
  const folders = await listFolders(members.pool, accountId);
  if (id !== undefined && folders.some((folder) => folder.id === id)) return id;
  throw new SiteFault(404, 'site.notFound', 'You have no such folder; load the presets again', 'folderId');
}
