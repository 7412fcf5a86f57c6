import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { parseGuideId } from '../lib/guide-id.ts';
import { cleanText } from '../opml/characters.ts';

/** More numbers than any radio has buttons for. */
const LARGEST_NUMBER = 1000;
const LONGEST_ADDRESS = 2048;
const LONGEST_FOLDER_NAME = 100;
const LONGEST_LABEL = 200;

/** `f123`, or as one client writes it, the number alone. */
const parseFolderId = (text: string): number | undefined => {
  const id = parseGuideId(/^\d/.test(text) ? `f${text}` : text);
  return id?.letter === 'f' ? id.number : undefined;
};

/** The folder to act in; undefined means the default one. */
export const folderOf = (params: Params): number | undefined =>
  params.optional('folderId', parseFolderId, 'request.folderInvalid');

export const requiredFolderOf = (params: Params): number =>
  params.required('folderId', parseFolderId, 'request.folderInvalid');

/** The button to store on; undefined means behind the others. */
export function presetNumberOf(params: Params): number | undefined {
  const text = params.text('presetNumber');
  if (text === undefined) return undefined;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= LARGEST_NUMBER) return number;
  throw new Fault(400, 'request.invalid', `Parameter 'presetNumber' is a number from 1 to ${LARGEST_NUMBER}`);
}

/** An address to save: only somebody's radio will ever fetch it. */
export function addressOf(params: Params): string | undefined {
  const text = params.text('url')?.trim();
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isWeb = (url?.protocol === 'http:' || url?.protocol === 'https:') && !/[\s\p{Cc}]/u.test(text);
  if (isWeb && text.length <= LONGEST_ADDRESS) return text;
  throw new Fault(
    400,
    'request.invalid',
    `Parameter 'url' is an http or https address of at most ${LONGEST_ADDRESS} characters, percent-encoded`,
  );
}

export function folderNameOf(params: Params): string {
  const name = params.required('name', (text) => cleanText(text).trim() || undefined);
  if (lengthOf(name) <= LONGEST_FOLDER_NAME) return name;
  throw new Fault(400, 'request.invalid', `A folder's name has at most ${LONGEST_FOLDER_NAME} characters`);
}

/** As the tables count, one for each character however it is stored. */
const lengthOf = (text: string): number => Array.from(text).length;

/** A name to show, as much of it as is kept. */
export const labelOf = (text: string): string =>
  Array.from(cleanText(text).trim()).slice(0, LONGEST_LABEL).join('');
