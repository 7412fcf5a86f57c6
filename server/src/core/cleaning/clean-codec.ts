import type { StreamFormat } from '../../lib/stream-format.ts';

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
 * The format as radios see it, from the source's codec and the address's suffix. An unknown codec stays unknown until
 * the stream is probed; television is refused.
 */
export function cleanCodec(
  codec: string | undefined,
  hls: boolean,
  address: string,
): StreamKind | { refused: 'television' } {
  if (codec && VIDEO.test(codec)) return { refused: 'television' };
  const suffix = suffixOf(address);
  const playlist = PLAYLISTS.get(suffix);
  const given = codec?.trim().toLowerCase() ?? '';
  const said = given === 'ogg' ? insideOgg(address) : BY_CODEC.get(given);
  // HLS needs a player of its own, whatever codec is inside.
  const format = hls || suffix === 'm3u8' ? 'hls' : said || BY_SUFFIX.get(suffix);
  return { ...(format ? { format } : {}), ...(playlist ? { playlist } : {}) };
}

/** Lists and servers call both OGG, and most streams that send Opus say so in the path. */
export const insideOgg = (address: string): StreamFormat =>
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*opus/i.test(address) ? 'opus' : 'ogg';

/** The suffix of the last path segment; after a Shoutcast `;` it is decoration, unless it names an audio format. */
function suffixOf(address: string): string {
  const [path = ''] = address.split('?', 1);
  const [, semicolon, suffix = ''] = /\/(;?)[^/]*\.([a-z0-9]{2,4})$/i.exec(path.slice(9)) ?? [];
  const ending = suffix.toLowerCase();
  return semicolon && PLAYLISTS.has(ending) ? '' : ending;
}

/** Opus speech at the low end, 24-bit lossless at the high one. */
const [MIN_KBPS, MAX_KBPS] = [6, 5000];

/** Kilobits per second; 0 when unknown or absurd. Values in bits per second are recognised by their size alone. */
export function cleanBitrate(value: number): number {
  const kbps = Math.round(value >= MIN_KBPS * 1000 ? value / 1000 : value);
  return kbps >= MIN_KBPS && kbps <= MAX_KBPS ? kbps : 0;
}
