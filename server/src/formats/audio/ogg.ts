import { namedSong, type SongText, splitSong } from '../song-text.ts';
import type { Audio } from './frames.ts';

const CAPTURE = 'OggS';
const PAGE_HEADER = 27;
const BEGINS_STREAM = 2;
const MAX_HERTZ = 1_000_000;
const MAX_BITS_PER_SECOND = 10_000_000;

interface AudioFacts {
  sampleRate: number;
  channels: number;
  bitsASecond?: number;
}

/** First packets of a stream: their signature, and how many of their bytes are read. */
const KINDS = [
  { begins: '\x01vorbis', length: 24, read: readVorbis, as: { format: 'ogg', codec: 'Vorbis' } },
  { begins: 'OpusHead', length: 16, read: readOpus, as: { format: 'opus', codec: 'Opus' } },
  { begins: '\x7fFLAC', length: 31, read: readFlac, as: { format: 'flac', codec: 'FLAC' } },
] as const;

/**
 * Identifies an Ogg stream by its first packet, in 0.001 to 0.005 ms of CPU: music-metadata reads every page, and all
 * comments. Undefined if the codec is not known here, or the stream does not begin here.
 */
export function oggAudio(bytes: Buffer): Audio | undefined {
  const [flags = 0, segments = 0] = [bytes[5], bytes[PAGE_HEADER - 1]];
  if ((flags & BEGINS_STREAM) === 0) return undefined;
  const packet = bytes.subarray(PAGE_HEADER + segments);
  const kind = KINDS.find(({ begins }) => packet.toString('latin1', 0, begins.length) === begins);
  if (!kind || packet.length < kind.length) return undefined;
  const { sampleRate, channels, bitsASecond = 0 } = kind.read(packet);
  const isRate = bitsASecond > 0 && bitsASecond <= MAX_BITS_PER_SECOND;
  const bitrate = kind.as.format === 'opus' ? opusBitrate(bytes) : undefined;
  return {
    ...kind.as,
    container: 'Ogg',
    ...(isRate ? { bitrate: Math.round(bitsASecond / 1000) } : bitrate === undefined ? {} : { bitrate }),
    ...(sampleRate > 0 && sampleRate <= MAX_HERTZ ? { sampleRate } : {}),
    ...(channels > 0 ? { channels } : {}),
  };
}

/** The nominal one of three bitrates; negative where it is not given. */
function readVorbis(packet: Buffer): AudioFacts {
  return {
    channels: packet.readUInt8(11),
    sampleRate: packet.readUInt32LE(12),
    bitsASecond: packet.readInt32LE(20),
  };
}

function readOpus(packet: Buffer): AudioFacts {
  return { channels: packet.readUInt8(9), sampleRate: packet.readUInt32LE(12) };
}

/** After the mapping's nine bytes and `fLaC` comes a block that begins with the sizes of blocks and frames. */
function readFlac(packet: Buffer): AudioFacts {
  const rates = packet.readUIntBE(27, 4);
  return { sampleRate: Math.floor(rates / 2 ** 12), channels: ((rates >> 9) & 7) + 1 };
}

const VORBIS = '\x03vorbis';
const OPUS = 'OpusTags';
const FLAC_COMMENTS = 4;
const FLAC_BLOCK_HEADER = 4;
const MAX_COMMENTS = 200;
const MAX_COMMENT_LENGTH = 1024;
const WANTED = new Set(['title', 'artist', 'album']);

/** The song in the comments of the newest stream in these bytes: Vorbis, Opus or FLAC in Ogg. */
export function oggSong(bytes: Buffer): SongText | undefined {
  const comments = oggHeaders(bytes).flatMap((packet) => commentsIn(packet) ?? []);
  const said = comments.at(-1);
  if (!said) return undefined;
  const song = namedSong({ title: said.get('title'), artist: said.get('artist'), album: said.get('album') });
  // Software that sets titles remotely often has one field for both.
  return song && song.artist === undefined ? splitSong(song.title) : song;
}

/** Where the comments begin in a packet that has some. */
function commentsIn(packet: Buffer): ReadonlyMap<string, string> | undefined {
  if (packet.toString('latin1', 0, VORBIS.length) === VORBIS) return readComments(packet, VORBIS.length);
  if (packet.toString('latin1', 0, OPUS.length) === OPUS) return readComments(packet, OPUS.length);
  const isFlac = packet.length > FLAC_BLOCK_HEADER && ((packet[0] ?? 0) & 127) === FLAC_COMMENTS;
  return isFlac ? readComments(packet, FLAC_BLOCK_HEADER) : undefined;
}

function readComments(packet: Buffer, from: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let at = skip(packet, from) + 4;
  for (let count = 0; count < MAX_COMMENTS && at + 4 <= packet.length; count += 1) {
    const end = skip(packet, at);
    const text = packet.toString('utf8', at + 4, Math.min(end, at + 4 + MAX_COMMENT_LENGTH));
    const equals = text.indexOf('=');
    const name = text.slice(0, equals).toLowerCase();
    if (equals > 0 && WANTED.has(name)) found.set(name, joined(found.get(name), text.slice(equals + 1)));
    at = end;
  }
  return found;
}

/** The end of a length-prefixed text. */
const skip = (packet: Buffer, at: number): number =>
  at + 4 <= packet.length ? at + 4 + packet.readUInt32LE(at) : packet.length;

/** Several artists are several comments. */
const joined = (before: string | undefined, value: string): string =>
  before === undefined || before === '' ? value : `${before}, ${value}`;

const CONTINUES = 1;
/** Identification, comments, and one more; audio follows. */
const HEADERS = 3;
const MAX_PACKET_LENGTH = 128 * 1024;

/** The header packets of each chained stream, as far as they arrived; Ogg radio starts a stream per song. */
function oggHeaders(bytes: Buffer): Buffer[] {
  const reader = new HeaderReader();
  for (let at = bytes.indexOf(CAPTURE); at !== -1; at = bytes.indexOf(CAPTURE, at)) {
    const segments = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + (bytes[at + 26] ?? 0));
    reader.readPage(bytes[at + 5] ?? 0, segments, bytes.subarray(at + PAGE_HEADER + segments.length));
    at += PAGE_HEADER + segments.length;
  }
  return reader.finish();
}

class HeaderReader {
  readonly #packets: Buffer[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  /** Nothing is known before a stream begins. */
  #left = 0;

  readPage(flags: number, segments: Buffer, body: Buffer): void {
    if ((flags & BEGINS_STREAM) !== 0) this.#left = HEADERS;
    if ((flags & CONTINUES) === 0) this.#drop();
    let at = 0;
    for (const length of segments) {
      if (this.#left === 0) return;
      this.#add(body.subarray(at, at + length));
      at += length;
      if (length < 255) this.#end();
    }
  }

  /** Of the last packet, the part that arrived counts. */
  finish(): Buffer[] {
    if (this.#left > 0 && this.#length > 0) this.#end();
    return this.#packets;
  }

  #add(piece: Buffer): void {
    if (this.#length > MAX_PACKET_LENGTH) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #end(): void {
    this.#packets.push(Buffer.concat(this.#pieces));
    this.#left -= 1;
    this.#drop();
  }

  #drop(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}

/** Opus in Ogg counts time in these, whatever the sample rate. */
const TICKS_A_SECOND = 48_000;
/** A page or two say little about a variable bitrate. */
const MIN_SECONDS = 0.5;

interface Page {
  /** The time at its end, in ticks. */
  ticks: number;
  bytes: number;
}

/**
 * The bitrate of Opus in Ogg in kbit/s, from the bytes between the ends of two pages. A listener joins in the middle,
 * so that the time of the first audio page does not tell how much came before it.
 */
export function opusBitrate(bytes: Buffer): number | undefined {
  const [first, ...pages] = soundPages(bytes);
  const last = pages.at(-1);
  if (!first || !last) return undefined;
  const seconds = (last.ticks - first.ticks) / TICKS_A_SECOND;
  if (seconds < MIN_SECONDS) return undefined;
  const sound = pages.reduce((sum, page) => sum + page.bytes, 0);
  const bitrate = Math.round((sound * 8) / seconds / 1000);
  return bitrate > 0 ? bitrate : undefined;
}

/** The complete pages of the newest chained stream: each begins with headers, whose time is 0. */
function soundPages(bytes: Buffer): Page[] {
  let pages: Page[] = [];
  for (let at = bytes.indexOf(CAPTURE); at !== -1; at = bytes.indexOf(CAPTURE, at + PAGE_HEADER)) {
    if (at + PAGE_HEADER > bytes.length) break;
    const segments = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + (bytes[at + 26] ?? 0));
    const length = segments.reduce((sum, segment) => sum + segment, 0);
    if (at + PAGE_HEADER + segments.length + length > bytes.length) break;
    const ticks = Number(bytes.readBigInt64LE(at + 6));
    if (ticks === 0) pages = [];
    // Negative: no packet ends on this page.
    else if (ticks > 0) pages.push({ ticks, bytes: length });
  }
  return pages;
}
