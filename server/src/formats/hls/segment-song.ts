import { boxesOf } from '../audio/containers.ts';
import { demux, isTransportStream } from '../audio/transport-stream.ts';
import { decodeText } from '../decode-text.ts';
import { namedSong, quotedSong, songOfText, type SongText, splitSong } from '../song-text.ts';

const MAX_TAGS = 20;

/** The song in a segment's timed metadata: in a tag before AAC, inside MPEG-TS, or in fMP4. */
export function segmentSong(bytes: Buffer): SongText | undefined {
  const tags = isTransportStream(bytes)
    ? demux(bytes).metadata
    : isId3(bytes)
      ? leadingTags(bytes)
      : messages(bytes);
  const newest = tags.map((tag) => id3Song(tag)).findLast((song) => song !== undefined);
  return newest && namedSong(newest);
}

/**
 * The title in a playlist's segment tag: `title="First Light",artist="The Example Duo"`, or both with a dash between.
 */
export function segmentTitle(text: string | undefined): SongText | undefined {
  if (text === undefined) return undefined;
  const quoted = quotedSong(text);
  if (quoted) return songOfText(quoted);
  // A name alone is usually the segment's own, or the station's.
  const song = splitSong(text);
  return song?.artist === undefined ? undefined : song;
}

/** A segment of AAC or MP3 without the tags before it. */
export function withoutTags(bytes: Buffer): Buffer {
  let rest = bytes;
  for (let count = 0; isId3(rest) && count < MAX_TAGS; count += 1) rest = rest.subarray(id3Length(rest));
  return rest;
}

/** The first is often only a timestamp. */
function leadingTags(bytes: Buffer): Buffer[] {
  const tags: Buffer[] = [];
  for (let rest = bytes; isId3(rest) && tags.length < MAX_TAGS; rest = rest.subarray(id3Length(rest)))
    tags.push(rest);
  return tags;
}

const messages = (bytes: Buffer): Buffer[] =>
  boxesOf(bytes)
    .filter(({ type }) => type === 'emsg')
    .slice(0, MAX_TAGS)
    .map(({ content }) => messageOf(content));

const VERSION_AND_FLAGS = 4;
/** Time and duration of the event: before its two texts since version 1, after them in version 0. */
const NUMBERS = { before: 20, behind: 16 };

function messageOf(content: Buffer): Buffer {
  const isOlder = content[0] === 0;
  const texts = content.subarray(VERSION_AND_FLAGS + (isOlder ? 0 : NUMBERS.before));
  const scheme = texts.indexOf(0);
  const value = texts.indexOf(0, scheme + 1);
  if (scheme === -1 || value === -1) return content.subarray(0, 0);
  return texts.subarray(value + 1 + (isOlder ? NUMBERS.behind : 0));
}

const HEADER = 10;
const MAX_TAG_LENGTH = 64 * 1024;
const MAX_FRAMES = 100;
const MAX_VALUE_LENGTH = 2048;
/** For versions 2.3 and 2.4, and for 2.2. */
const FIELDS: Readonly<Record<string, 'title' | 'artist' | 'album'>> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TT2: 'title',
  TP1: 'artist',
  TAL: 'album',
};

const isId3 = (bytes: Buffer): boolean =>
  bytes.length > HEADER && bytes.toString('latin1', 0, 3) === 'ID3' && (bytes[3] ?? 0) < 5;

/** The length of the tag that begins here. */
const id3Length = (bytes: Buffer): number => HEADER + spread(bytes, 6);

/** The song that a tag names: `TIT2`, `TPE1`, `TALB`. */
export function id3Song(tag: Buffer): SongText | undefined {
  if (!isId3(tag)) return undefined;
  const [version = 0, , flags = 0] = tag.subarray(3, 6);
  const whole = tag.subarray(HEADER, Math.min(id3Length(tag), MAX_TAG_LENGTH));
  const frames = (flags & 0x80) !== 0 && version < 4 ? synchronised(whole) : whole;
  const hasExtension = (flags & 0x40) !== 0 && version > 2;
  return songOfText(readFrames(frames, version, hasExtension ? extensionLength(frames, version) : 0));
}

function readFrames(bytes: Buffer, version: number, from: number): { title?: string; artist?: string } {
  const found: { title?: string; artist?: string; album?: string } = {};
  const [nameLength, header] = version === 2 ? [3, 6] : [4, HEADER];
  let at = from;
  for (let count = 0; count < MAX_FRAMES && at + header < bytes.length; count += 1) {
    const name = bytes.toString('latin1', at, at + nameLength);
    const length = frameLength(bytes, at + nameLength, version);
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (field) found[field] ??= textOf(bytes.subarray(at + header, at + header + length));
    at += header + length;
  }
  return found;
}

/** Seven bits of each byte, so that no byte looks like an audio frame. */
const spread = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 127), 0);

function frameLength(bytes: Buffer, at: number, version: number): number {
  if (version === 2) return bytes.readUIntBE(at, 3);
  return version === 4 ? spread(bytes, at) : bytes.readUInt32BE(at);
}

const extensionLength = (bytes: Buffer, version: number): number =>
  bytes.length < 4 ? 0 : version === 4 ? spread(bytes, 0) : bytes.readUInt32BE(0) + 4;

/** A text with its leading encoding byte; only the first of several. */
function textOf(frame: Buffer): string {
  const text = frame.subarray(1, MAX_VALUE_LENGTH + 1);
  const decoded =
    frame[0] === 2 || (frame[0] === 1 && text[0] === 0xfe && text[1] === 0xff)
      ? new TextDecoder('utf-16be').decode(text)
      : frame[0] === 1
        ? new TextDecoder('utf-16le').decode(text)
        : decodeText(text);
  return decoded.replace(/^\0+/, '').split('\0')[0] ?? '';
}

/** Without the zeros that were inserted after each 0xFF byte. */
function synchronised(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0 && at > 0 && bytes[at - 1] === 0xff) continue;
    kept[length++] = bytes[at] ?? 0;
  }
  return kept.subarray(0, length);
}
