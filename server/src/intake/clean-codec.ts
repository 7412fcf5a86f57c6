import type { StreamFormat } from '../lib/stream-format.ts';

export type Playlist = 'pls' | 'm3u' | 'asx' | 'xspf';

export interface StreamKind {
  format?: StreamFormat;
  playlist?: Playlist;
}

const BY_CODEC = new Map<string, StreamFormat>([
  ['mp3', 'mp3'],
  ['mpeg', 'mp3'],
  ['aac', 'aac'],
  ['aac+', 'aac'],
  ['aacp', 'aac'],
  ['he-aac', 'aac'],
  ['vorbis', 'ogg'],
  ['opus', 'opus'],
  ['flac', 'flac'],
  ['wma', 'wma'],
  ['flv', 'flash'],
  ['wav', 'wav'],
]);

const BY_SUFFIX = new Map<string, StreamFormat>([
  ['mp3', 'mp3'],
  ['aac', 'aac'],
  ['aacp', 'aac'],
  ['m4a', 'aac'],
  ['ogg', 'ogg'],
  ['oga', 'ogg'],
  ['opus', 'opus'],
  ['flac', 'flac'],
  ['m3u8', 'hls'],
  ['wma', 'wma'],
  ['asf', 'wma'],
  ['rm', 'real'],
  ['ra', 'real'],
  ['ram', 'real'],
  ['flv', 'flash'],
  ['mov', 'qt'],
  ['wav', 'wav'],
]);

const PLAYLISTS = new Map<string, Playlist>([
  ['pls', 'pls'],
  ['m3u', 'm3u'],
  ['asx', 'asx'],
  ['wax', 'asx'],
  ['wvx', 'asx'],
  ['xspf', 'xspf'],
]);

const VIDEO = /h\.?26[45]|hevc|avc|vp[89]|av1|theora|mpeg-?2|video/i;

/**
 * What a stream sounds like to a radio, from what a source says and how the address ends. An unknown codec stays
 * unknown until somebody has listened; television is refused.
 */
export function cleanCodec(
  codec: string | undefined,
  hls: boolean,
  address: string,
): StreamKind | { refused: 'television' } {
  if (codec && VIDEO.test(codec)) return { refused: 'television' };
  const suffix = suffixOf(address);
  const playlist = PLAYLISTS.get(suffix);
  const told = codec?.trim().toLowerCase() ?? '';
  const said = told === 'ogg' ? insideOgg(address) : BY_CODEC.get(told);
  // Segments need a player of their own, whatever is in them.
  const format = hls || suffix === 'm3u8' ? 'hls' : said || BY_SUFFIX.get(suffix);
  return { ...(format ? { format } : {}), ...(playlist ? { playlist } : {}) };
}

/** Lists and servers call both OGG, and most of those that send Opus say so in the path. */
export const insideOgg = (address: string): StreamFormat =>
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*opus/i.test(address) ? 'opus' : 'ogg';

/** The ending of the last part of the path; behind a Shoutcast `;` it is decoration, except for what it says of sound. */
function suffixOf(address: string): string {
  const [path = ''] = address.split('?', 1);
  const [, semicolon, suffix = ''] = /\/(;?)[^/]*\.([a-z0-9]{2,4})$/i.exec(path.slice(9)) ?? [];
  const ending = suffix.toLowerCase();
  return semicolon && PLAYLISTS.has(ending) ? '' : ending;
}
