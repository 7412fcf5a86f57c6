import {
  FOLDER_NAME_RULE,
  parseFolderName,
  parseSavedAddress,
  SAVED_ADDRESS_RULE,
} from '../../../core/accounts/presets/preset-rules.ts';
import { cleanMarkupText } from '../../../formats/opml/characters.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseGuideId } from '../../../lib/guide-id.ts';
import type { Params } from '../call/params.ts';

/** More buttons than any radio has. */
const MAX_NUMBER = 1000;

/** `f123`, or the bare number, as one client writes it. */
const parseFolderId = (text: string): number | undefined => {
  const id = parseGuideId(/^\d/.test(text) ? `f${text}` : text);
  return id?.letter === 'f' ? id.number : undefined;
};

/** The folder to act in; undefined for the default one. */
export function folderOf(params: Params): number | undefined {
  const folderId = params.optional('folderId', parseFolderId, 'request.folderInvalid');
  const guideId = parseGuideId(params.text('guide_id') ?? '');
  if (guideId?.letter !== 'f') return folderId;
  if (folderId !== undefined && folderId !== guideId.number)
    throw new Fault(
      400,
      'request.folderInvalid',
      "'folderId' and 'guide_id' name different folders; send only one",
    );
  return guideId.number;
}

export const requiredFolderOf = (params: Params): number =>
  folderOf(params) ?? params.required('folderId', parseFolderId, 'request.folderInvalid');

/** The id to add or remove; lists call it `guide_id`, which may also be a folder's. */
export function itemIdOf(params: Params): string | undefined {
  const guideId = params.text('guide_id');
  const listed = guideId !== undefined && parseGuideId(guideId)?.letter !== 'f' ? guideId : undefined;
  const id = params.text('id') ?? listed;
  if (id !== undefined && ((listed ?? id) !== id || params.has('url')))
    throw new Fault(400, 'request.invalid', "The call names two things; give one 'id' or one 'url'");
  return id;
}

/** The button to store on; undefined appends. */
export function presetNumberOf(params: Params): number | undefined {
  const text = params.text('presetnumber');
  if (text === undefined) return undefined;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_NUMBER) return number;
  throw new Fault(
    400,
    'request.invalid',
    `Parameter 'presetNumber' must be a number from 1 to ${MAX_NUMBER}`,
  );
}

/** The address to save. */
export function addressOf(params: Params): string | undefined {
  const text = params.text('url');
  if (text === undefined) return undefined;
  const address = parseSavedAddress(text);
  if (address !== undefined) return address;
  throw new Fault(400, 'request.invalid', `Parameter 'url' is ${SAVED_ADDRESS_RULE}`);
}

export function folderNameOf(params: Params): string {
  const text = params.required('name', (name) => cleanMarkupText(name).trim() || undefined);
  const name = parseFolderName(text);
  if (name !== undefined) return name;
  throw new Fault(400, 'request.invalid', FOLDER_NAME_RULE);
}
