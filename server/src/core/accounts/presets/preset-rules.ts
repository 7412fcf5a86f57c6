import { cleanMarkupText } from '../../../formats/opml/characters.ts';
import { Fault } from '../../../lib/fault.ts';
import { STREAM_SCHEMES } from '../../../lib/stream-format.ts';

// What an account may save, and the faults when it may not.

/** Limits per account; the tables enforce them too. */
export const MAX_PRESETS = 500;
export const MAX_FOLDERS = 50;

/** The same text for another account's folder and for a missing one: only its owner may know whether it exists. */
export const noSuchFolder = (): Fault =>
  new Fault(
    400,
    'request.folderInvalid',
    "The account has no such folder; c=listFolders gives the folderId of each, such as f123. Without 'folderId' the default folder is meant",
  );

export const tooManyPresets = (): Fault =>
  new Fault(400, 'preset.limit', `An account can have ${MAX_PRESETS} presets; remove one first`);

export const tooManyFolders = (): Fault =>
  new Fault(400, 'preset.limit', `An account can have ${MAX_FOLDERS} folders; remove one first`);

const SCHEMES = ['http:', 'https:', ...STREAM_SCHEMES];
const MAX_ADDRESS_LENGTH = 2048;
const MAX_FOLDER_NAME_LENGTH = 100;
const MAX_LABEL_LENGTH = 200;

/** A display name, cut to the stored length. Counted in code points, as the tables count. */
export const labelOf = (text: string): string =>
  Array.from(cleanMarkupText(text).trim()).slice(0, MAX_LABEL_LENGTH).join('');

/** A folder's name as it is stored; undefined for an empty one or one that is too long. */
export function parseFolderName(text: string): string | undefined {
  const name = cleanMarkupText(text).trim();
  return name !== '' && Array.from(name).length <= MAX_FOLDER_NAME_LENGTH ? name : undefined;
}

export const FOLDER_NAME_RULE = `A folder's name has at most ${MAX_FOLDER_NAME_LENGTH} characters`;

/** An address that can be saved: only the listener's radio will ever fetch it. */
export function parseSavedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  const isStream = url !== null && SCHEMES.includes(url.protocol) && url.host !== '';
  const isPresetTarget = isStream && trimmed.includes('://') && !/[\s\p{Cc}]/u.test(trimmed);
  return isPresetTarget && trimmed.length <= MAX_ADDRESS_LENGTH ? trimmed : undefined;
}

export const SAVED_ADDRESS_RULE = `an http, https, mms, rtsp or rtmp address of at most ${MAX_ADDRESS_LENGTH} characters, percent-encoded`;
