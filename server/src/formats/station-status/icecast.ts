import { isUtf8 } from 'node:buffer';
import { type StatusSong, isObject, memberOf, parseStatus, songIn, textOf } from './status-song.ts';

/** A title of `-` comes without quotation marks, and with it the songs of all other mounts would be unreadable. */
const BARE_DASH = /("\w+"\s*:)\s*-\s*(?=[,}])/g;
const BEYOND_LATIN_1 = /[^\0-\xff]/;

/**
 * The song of one mount in Icecast's `/status-json.xsl`, whose `source` is a list, one object, or not there at all.
 * `mount` is the path of the stream: `/live.mp3`.
 */
export function icecastSong(text: string, mount: string): StatusSong | undefined {
  const source = memberOf(memberOf(parseStatus(text.replaceAll(BARE_DASH, '$1null')), 'icestats'), 'source');
  const sources = (Array.isArray(source) ? source : [source]).filter((one) => isObject(one));
  const playing = sources.find((one) => mountOf(textOf(one, 'listenurl')) === mount);
  if (isUnsure(memberOf(playing, 'artist'))) return undefined;
  const [title, artist, album] = ['title', 'artist', 'album'].map((name) =>
    encodedOnce(textOf(playing, name)),
  );
  return songIn({ title, artist, album });
}

/** Of a source that does not say what it sends it takes UTF-8 for Latin-1, and encodes it again; the stream has it right. */
function encodedOnce(text: string | undefined): string | undefined {
  if (text === undefined || BEYOND_LATIN_1.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** What looks like a number or `true` is written as one, and how the name was spelt is lost; the stream still says it. */
const isUnsure = (artist: unknown): boolean => typeof artist === 'number' || typeof artist === 'boolean';

/** The address it gives names the server as it knows itself; only the path is sure. */
const mountOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.pathname;
