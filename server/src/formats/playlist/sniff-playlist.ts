import { decodeText, encodingByMark } from '../decode-text.ts';
import type { PlaylistKind } from './parse-playlist.ts';

const LOOKED_AT = 1024;
/** No text begins with such bytes, and all audio has some early on. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Detection by the text itself. */
const BY_BEGINNING: readonly [beginning: RegExp, kind: PlaylistKind][] = [
  [/^#EXTM3U/i, 'm3u'],
  [/^\[playlist\]/i, 'pls'],
  [/^\[reference\]/i, 'asx'],
  [/^<asx[\s>]/i, 'asx'],
  [/^(?:<\?xml[^>]*>)?\s*(?:<!--[^>]*>\s*)?<playlist[\s>]/i, 'xspf'],
  [/^(?:<\?xml[^>]*>)?\s*<asx[\s>]/i, 'asx'],
];
const BY_TYPE: Readonly<Record<string, PlaylistKind>> = {
  'audio/x-mpegurl': 'm3u',
  'audio/mpegurl': 'm3u',
  'application/x-mpegurl': 'm3u',
  'application/mpegurl': 'm3u',
  'application/vnd.apple.mpegurl': 'm3u',
  'audio/x-scpls': 'pls',
  'audio/scpls': 'pls',
  'application/pls+xml': 'pls',
  'video/x-ms-asf': 'asx',
  'video/x-ms-asx': 'asx',
  'audio/x-ms-wax': 'asx',
  'video/x-ms-wvx': 'asx',
  'application/x-ms-asx': 'asx',
  'application/xspf+xml': 'xspf',
};

export const isPlaylistType = (contentType: string): boolean =>
  Object.hasOwn(BY_TYPE, contentType.toLowerCase());

const BY_ENDING: Readonly<Record<string, PlaylistKind>> = {
  m3u: 'm3u',
  m3u8: 'm3u',
  pls: 'pls',
  asx: 'asx',
  wax: 'asx',
  wvx: 'asx',
  xspf: 'xspf',
};

/**
 * The kind of playlist that begins like this; undefined if it is not one. The text counts most: servers send playlists
 * as `audio/mpeg` and audio as `audio/x-mpegurl`. `hls` is the kind whose addresses are segments of one stream.
 */
export function sniffPlaylist(
  contentType: string | undefined,
  address: string,
  firstBytes: Uint8Array,
): PlaylistKind | 'hls' | undefined {
  const looked = firstBytes.subarray(0, LOOKED_AT);
  // The first bytes reveal audio, and decoding it would take longer than everything else.
  if (encodingByMark(looked) === undefined && looked.some(isBinary)) return undefined;
  const text = decodeText(looked)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '' || BINARY.test(text)) return undefined;
  const kind = kindBySaying(text) ?? kindByName(contentType, address, text);
  return kind === 'm3u' && text.includes('#EXT-X-') ? 'hls' : kind;
}

/** These bytes mean the same in every encoding except the two-byte ones. */
const isBinary = (byte: number): boolean => byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d);

const kindBySaying = (text: string): PlaylistKind | undefined =>
  BY_BEGINNING.find(([beginning]) => beginning.test(text))?.[1];

function kindByName(
  contentType: string | undefined,
  address: string,
  text: string,
): PlaylistKind | undefined {
  if (/^<(?:!doctype|html|head|body)/i.test(text)) return undefined;
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type];
  const ending = /\.(\w{1,5})$/.exec(URL.parse(address)?.pathname ?? '')?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending];
  return /^https?:\/\/\S+\s*(?:$|[\r\n])/i.test(text) ? 'm3u' : undefined;
}
