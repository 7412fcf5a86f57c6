import { decodeText } from '../decode-text.ts';
import { type SongText, songOf } from '../song-text.ts';

const HEADER = 10;
const LONGEST_TAG = 64 * 1024;
const MOST_FRAMES = 100;
const LONGEST_VALUE = 2048;
/** Of the versions 2.3 and 2.4, and of 2.2. */
const FIELDS: Readonly<Record<string, 'title' | 'artist' | 'album'>> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TT2: 'title',
  TP1: 'artist',
  TAL: 'album',
};

export const isId3 = (bytes: Buffer): boolean =>
  bytes.length > HEADER && bytes.toString('latin1', 0, 3) === 'ID3' && (bytes[3] ?? 0) < 5;

/** How long the tag is that begins here. */
export const id3Length = (bytes: Buffer): number => HEADER + spread(bytes, 6);

/** The song that a tag names: `TIT2`, `TPE1`, `TALB`. */
export function id3Song(tag: Buffer): SongText | undefined {
  if (!isId3(tag)) return undefined;
  const [version = 0, , flags = 0] = tag.subarray(3, 6);
  const whole = tag.subarray(HEADER, Math.min(id3Length(tag), LONGEST_TAG));
  const frames = (flags & 0x80) !== 0 && version < 4 ? synchronised(whole) : whole;
  const hasExtension = (flags & 0x40) !== 0 && version > 2;
  return songOf(readFrames(frames, version, hasExtension ? extensionLength(frames, version) : 0));
}

function readFrames(bytes: Buffer, version: number, from: number): { title?: string; artist?: string } {
  const found: { title?: string; artist?: string; album?: string } = {};
  const [nameLength, header] = version === 2 ? [3, 6] : [4, HEADER];
  let at = from;
  for (let count = 0; count < MOST_FRAMES && at + header < bytes.length; count += 1) {
    const name = bytes.toString('latin1', at, at + nameLength);
    const length = frameLength(bytes, at + nameLength, version);
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (field) found[field] ??= textOf(bytes.subarray(at + header, at + header + length));
    at += header + length;
  }
  return found;
}

/** Seven bits of each byte, so that no byte looks like a frame of sound. */
const spread = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 127), 0);

function frameLength(bytes: Buffer, at: number, version: number): number {
  if (version === 2) return bytes.readUIntBE(at, 3);
  return version === 4 ? spread(bytes, at) : bytes.readUInt32BE(at);
}

const extensionLength = (bytes: Buffer, version: number): number =>
  bytes.length < 4 ? 0 : version === 4 ? spread(bytes, 0) : bytes.readUInt32BE(0) + 4;

/** A text with the byte before it that names its encoding; only the first of several. */
function textOf(frame: Buffer): string {
  const text = frame.subarray(1, LONGEST_VALUE + 1);
  const decoded =
    frame[0] === 2 || (frame[0] === 1 && text[0] === 0xfe && text[1] === 0xff)
      ? new TextDecoder('utf-16be').decode(text)
      : frame[0] === 1
        ? new TextDecoder('utf-16le').decode(text)
        : decodeText(text);
  return decoded.replace(/^\0+/, '').split('\0')[0] ?? '';
}

/** Without the zeros that were put behind each byte of ones. */
function synchronised(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0 && at > 0 && bytes[at - 1] === 0xff) continue;
    kept[length++] = bytes[at] ?? 0;
  }
  return kept.subarray(0, length);
}
