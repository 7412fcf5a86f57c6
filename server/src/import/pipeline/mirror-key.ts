import { isIP } from 'node:net';
import { domainOf } from '../../core/cleaning/clean-homepage.ts';

/** Parts of a path that say how a stream is sent, or what every path has. */
const HOW = new Set(
  `live livestream livestreamredirect stream streams streaming redirect listen listener tunein api m3u m3u8 pls asx xspf play
   player playlist master index chunklist hls icy icecast audio radio http https mp3 aac aacp aacplus heaac ogg opus flac nsv
   high low mid medium hifi midfi lofi hq lq hd web app sc external 128kbit 64kbit`.split(/\s+/),
);
const ENDING = /(?:aacp?|mp3|ogg|_sc|sc)$/;
const BITRATE = /^(?:32|64|96|128|160|192|256|320|\d{2,3}k)$/;
/** Shorter ones are numbers and letters of chance. */
const MIN_LENGTH = 3;

/**
 * Equal for addresses at which one owner sends one programme: in several codecs and bitrates, as a stream or a playlist, from
 * several machines of a domain. `icecast.radiofrance.fr/fipjazz-hifi.aac` and `stream.radiofrance.fr/fipjazz/fipjazz.m3u8` are
 * such mirrors. Undefined where an address does not tell.
 */
export function mirrorKey(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const parts = url.pathname
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((part) => (HOW.has(part) ? '' : part.replace(ENDING, '')))
    .filter((part) => part !== '' && !HOW.has(part) && !BITRATE.test(part));
  const path = [...new Set(parts)].join(' ');
  if (path === '') return url.search === '' ? url.host : undefined;
  return path.length < MIN_LENGTH
    ? undefined
    : `${isIP(url.hostname) ? url.host : domainOf(url.hostname)} ${path}`;
}
