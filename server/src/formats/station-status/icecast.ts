import { type StatusSong, isObject, memberOf, parseStatus, songIn, textOf } from './status-song.ts';

/**
 * The song of one mount in Icecast's `/status-json.xsl`, whose `source` is a list, one object, or not there at all.
 * `mount` is the path of the stream: `/live.mp3`.
 */
export function icecastSong(text: string, mount: string): StatusSong | undefined {
  const source = memberOf(memberOf(parseStatus(text), 'icestats'), 'source');
  const sources = (Array.isArray(source) ? source : [source]).filter((one) => isObject(one));
  return songIn(sources.find((one) => mountOf(textOf(one, 'listenurl')) === mount));
}

/** The address it gives names the server as it knows itself; only the path is sure. */
const mountOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.pathname;
