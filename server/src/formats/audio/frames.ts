import type { StreamFormat } from '../../lib/stream-format.ts';

/** The format of audio bytes. */
export interface Audio {
  format: StreamFormat;
  /** `MPEG 1 Layer 3`, `AAC-LC`, `HE-AAC`, `Vorbis`, `Opus`, `FLAC` … */
  codec: string;
  /** `MPEG`, `ADTS`, `Ogg`, `MPEG-TS`, `MP4` … */
  container: string;
  /** In kbit/s. */
  bitrate?: number;
  sampleRate?: number;
  channels?: number;
}

/** A frame, whose header gives its own length. */
export interface Frame {
  readonly codec: string;
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** In kbit/s, where the header says it. */
  readonly bitrate?: number;
}

/** Reads the frame that begins at `at`, by its header alone. */
type ReadFrame = (bytes: Buffer, at: number) => Frame | undefined;

/** A byte that looks like a frame header is not rare; three headers at the right distances are. */
const ENOUGH = 3;
const SYNC = 0xff;

/** The consecutive frames, wherever they begin: tuning in to a live stream starts in the middle of one. */
export function findFrames(bytes: Buffer, read: ReadFrame): Frame[] {
  const start = findStart(bytes, read);
  return start === undefined ? [] : framesFrom(bytes, start, read);
}

/** Where they begin. */
export function findStart(bytes: Buffer, read: ReadFrame): number | undefined {
  for (let at = bytes.indexOf(SYNC); at !== -1; at = bytes.indexOf(SYNC, at + 1))
    if (framesFrom(bytes, at, read, ENOUGH).length >= ENOUGH) return at;
  return undefined;
}

function framesFrom(bytes: Buffer, start: number, read: ReadFrame, most = Infinity): Frame[] {
  const frames: Frame[] = [];
  for (let frame = read(bytes, start), at = start; frame && frames.length < most; frame = read(bytes, at)) {
    if (frames[0] && !isAlike(frames[0], frame)) break;
    frames.push(frame);
    at += frame.bytes;
  }
  return frames;
}

const isAlike = (one: Frame, other: Frame): boolean =>
  one.codec === other.codec && one.sampleRate === other.sampleRate;

/** Files begin with a frame of another size, which holds only metadata. */
const MOST_FRAMES_SHARE = 0.8;

/** In kbit/s: what nearly all frames say, or the average where the bitrate varies. */
export function bitrateOf(frames: readonly Frame[]): number {
  const said = saidByMost(frames);
  let [alike, bytes, samples] = [0, 0, 0];
  for (const frame of frames) {
    if (frame.bitrate === said) alike += 1;
    bytes += frame.bytes;
    samples += frame.samples;
  }
  if (said !== undefined && alike >= MOST_FRAMES_SHARE * frames.length) return said;
  return Math.round((bytes * 8 * (frames[0]?.sampleRate ?? 0)) / samples / 1000);
}

/** The bitrate that more than half of them say, if any. */
function saidByMost(frames: readonly Frame[]): number | undefined {
  let [said, votes]: [number | undefined, number] = [undefined, 0];
  for (const { bitrate } of frames) {
    if (votes === 0) said = bitrate;
    votes += bitrate === said ? 1 : -1;
  }
  return said;
}

const MPEG_BITRATES = {
  // By layer, for MPEG 1.
  first: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  // For MPEG 2 and 2.5.
  later: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
};
const MPEG_SAMPLE_RATES = [44_100, 48_000, 32_000];
/** By the two version bits. */
const MPEG_VERSIONS = [versionOf('2.5', 4), undefined, versionOf('2', 2), versionOf('1', 1)];
const MONO = 3;

function versionOf(name: string, slower: number) {
  const codecs = [1, 2, 3].map((layer) => `MPEG ${name} Layer ${layer}`);
  return { slower, codecs, bitrates: MPEG_BITRATES[slower === 1 ? 'first' : 'later'] };
}

/** By the header after its first byte: a stream has a handful, and there are at most 16,384. */
const knownFrames = new Map<number, Frame | undefined>();

/** A frame of MPEG audio: layers 1 to 3 of versions 1, 2 and 2.5. */
export const readMpegFrame: ReadFrame = (bytes, at) => {
  const kind = bytes[at + 1] ?? 0;
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (kind & 0xe0) !== 0xe0) return undefined;
  const header = ((kind & 0x1e) << 9) | ((bytes[at + 2] ?? 0) << 2) | ((bytes[at + 3] ?? 0) >> 6);
  if (!knownFrames.has(header))
    knownFrames.set(header, frameOf(kind, bytes[at + 2] ?? 0, (bytes[at + 3] ?? 0) >> 6));
  return knownFrames.get(header);
};

function frameOf(kind: number, rates: number, mode: number): Frame | undefined {
  const version = MPEG_VERSIONS[(kind >> 3) & 3];
  const layer = 4 - ((kind >> 1) & 3);
  const bitrate = version?.bitrates[layer - 1]?.[(rates >> 4) - 1];
  const fullRate = MPEG_SAMPLE_RATES[(rates >> 2) & 3];
  if (!version || bitrate === undefined || fullRate === undefined) return undefined;
  const sampleRate = fullRate / version.slower;
  const samples = layer === 1 ? 384 : layer === 3 && version.slower > 1 ? 576 : 1152;
  const slot = layer === 1 ? 4 : 1;
  const slots = Math.floor((bitrate * 1000 * samples) / 8 / slot / sampleRate) + ((rates >> 1) & 1);
  const codec = version.codecs[layer - 1] ?? '';
  return { codec, bytes: slots * slot, samples, sampleRate, channels: mode === MONO ? 1 : 2, bitrate };
}

const AAC_SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const AAC_PROFILES = ['AAC Main', 'AAC-LC', 'AAC SSR', 'AAC LTP'];
const AAC_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];
const AAC_SAMPLES = 1024;
const ADTS_HEADER_BYTES = 7;

/** A frame of AAC as radios send it. */
export const readAdtsFrame: ReadFrame = (bytes, at) => {
  if (at + ADTS_HEADER_BYTES > bytes.length || bytes[at] !== 0xff) return undefined;
  const byte = (offset: number): number => bytes[at + offset] ?? 0;
  const [rates, third] = [byte(2), byte(3)];
  const sampleRate = AAC_SAMPLE_RATES[(rates >> 2) & 15];
  const length = ((third & 3) << 11) | (byte(4) << 3) | (byte(5) >> 5);
  if ((byte(1) & 0xf6) !== 0xf0 || sampleRate === undefined || length < ADTS_HEADER_BYTES) return undefined;
  const blocks = (byte(6) & 3) + 1;
  const channels = AAC_CHANNELS[((rates & 1) << 2) | (third >> 6)] ?? 0;
  const codec = AAC_PROFILES[rates >> 6] ?? 'AAC';
  return { codec, bytes: length, samples: AAC_SAMPLES * blocks, sampleRate, channels };
};
