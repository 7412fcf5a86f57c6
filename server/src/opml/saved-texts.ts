import { STREAM_SCHEMES } from '../lib/stream-schemes.ts';
import { cleanText } from './characters.ts';

const SCHEMES = ['http:', 'https:', ...STREAM_SCHEMES];
const LONGEST_ADDRESS = 2048;
const LONGEST_FOLDER_NAME = 100;
const LONGEST_LABEL = 200;

/** A name to show, as much of it as is kept. Counted as the tables count, one for each character however it is stored. */
export const labelOf = (text: string): string =>
  Array.from(cleanText(text).trim()).slice(0, LONGEST_LABEL).join('');

/** A folder's name as it is kept; undefined for none, or for one that is too long. */
export function parseFolderName(text: string): string | undefined {
  const name = cleanText(text).trim();
  return name !== '' && Array.from(name).length <= LONGEST_FOLDER_NAME ? name : undefined;
}

export const FOLDER_NAME_RULE = `A folder's name has at most ${LONGEST_FOLDER_NAME} characters`;

/** An address that can be saved: only somebody's radio will ever fetch it. */
export function parseSavedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  const isStream = url !== null && SCHEMES.includes(url.protocol) && url.host !== '';
  const isKeepable = isStream && trimmed.includes('://') && !/[\s\p{Cc}]/u.test(trimmed);
  return isKeepable && trimmed.length <= LONGEST_ADDRESS ? trimmed : undefined;
}

export const SAVED_ADDRESS_RULE = `an http, https, mms, rtsp or rtmp address of at most ${LONGEST_ADDRESS} characters, percent-encoded`;
