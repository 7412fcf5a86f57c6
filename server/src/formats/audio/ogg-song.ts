import { namedSong, splitSong } from '../icy/split-song.ts';
import type { SongText } from '../song-text.ts';
import { oggHeaders } from './ogg-packets.ts';

const VORBIS = '\x03vorbis';
const OPUS = 'OpusTags';
const FLAC_COMMENTS = 4;
const FLAC_BLOCK_HEADER = 4;
const MOST_COMMENTS = 200;
const LONGEST_COMMENT = 1024;
const WANTED = new Set(['title', 'artist', 'album']);

/** The song that the comments of the newest stream in these bytes name: of Vorbis, Opus or FLAC in Ogg. */
export function oggSong(bytes: Buffer): SongText | undefined {
  const comments = oggHeaders(bytes).flatMap((packet) => commentsIn(packet) ?? []);
  const said = comments.at(-1);
  if (!said) return undefined;
  const song = namedSong({ title: said.get('title'), artist: said.get('artist'), album: said.get('album') });
  // Who sets titles from outside often has one field for both.
  return song && song.artist === undefined ? splitSong(song.title) : song;
}

/** Where the comments begin in a packet that holds some. */
function commentsIn(packet: Buffer): ReadonlyMap<string, string> | undefined {
  if (packet.toString('latin1', 0, VORBIS.length) === VORBIS) return readComments(packet, VORBIS.length);
  if (packet.toString('latin1', 0, OPUS.length) === OPUS) return readComments(packet, OPUS.length);
  const isFlac = packet.length > FLAC_BLOCK_HEADER && ((packet[0] ?? 0) & 127) === FLAC_COMMENTS;
  return isFlac ? readComments(packet, FLAC_BLOCK_HEADER) : undefined;
}

function readComments(packet: Buffer, from: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let at = skip(packet, from) + 4;
  for (let count = 0; count < MOST_COMMENTS && at + 4 <= packet.length; count += 1) {
    const end = skip(packet, at);
    const text = packet.toString('utf8', at + 4, Math.min(end, at + 4 + LONGEST_COMMENT));
    const equals = text.indexOf('=');
    const name = text.slice(0, equals).toLowerCase();
    if (equals > 0 && WANTED.has(name)) found.set(name, joined(found.get(name), text.slice(equals + 1)));
    at = end;
  }
  return found;
}

/** Where a text that says its length ends. */
const skip = (packet: Buffer, at: number): number =>
  at + 4 <= packet.length ? at + 4 + packet.readUInt32LE(at) : packet.length;

/** Several artists are several comments. */
const joined = (before: string | undefined, value: string): string =>
  before === undefined || before === '' ? value : `${before}, ${value}`;
