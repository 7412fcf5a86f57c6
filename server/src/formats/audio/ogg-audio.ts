import type { Audio } from './audio.ts';
import { opusBitrate } from './opus-bitrate.ts';

const PAGE_HEADER = 27;
const BEGINS_STREAM = 2;
const MOST_HERTZ = 1_000_000;
const MOST_BITS_A_SECOND = 10_000_000;

interface Told {
  sampleRate: number;
  channels: number;
  bitsASecond?: number;
}

/** The packets that begin a stream, by their first letters and by the bytes that are read of them. */
const KINDS = [
  { begins: '\x01vorbis', length: 24, read: readVorbis, as: { format: 'ogg', codec: 'Vorbis' } },
  { begins: 'OpusHead', length: 16, read: readOpus, as: { format: 'opus', codec: 'Opus' } },
  { begins: '\x7fFLAC', length: 31, read: readFlac, as: { format: 'flac', codec: 'FLAC' } },
] as const;

/**
 * What the first packet of Ogg says of its sound, in 0.001 to 0.005 ms of CPU: music-metadata reads every page, and all
 * the comments. Nothing where it is of a kind that is not read here, or does not begin here.
 */
export function oggAudio(bytes: Buffer): Audio | undefined {
  const [flags = 0, segments = 0] = [bytes[5], bytes[PAGE_HEADER - 1]];
  if ((flags & BEGINS_STREAM) === 0) return undefined;
  const packet = bytes.subarray(PAGE_HEADER + segments);
  const kind = KINDS.find(({ begins }) => packet.toString('latin1', 0, begins.length) === begins);
  if (!kind || packet.length < kind.length) return undefined;
  const { sampleRate, channels, bitsASecond = 0 } = kind.read(packet);
  const isRate = bitsASecond > 0 && bitsASecond <= MOST_BITS_A_SECOND;
  const bitrate = kind.as.format === 'opus' ? opusBitrate(bytes) : undefined;
  return {
    ...kind.as,
    container: 'Ogg',
    ...(isRate ? { bitrate: Math.round(bitsASecond / 1000) } : bitrate === undefined ? {} : { bitrate }),
    ...(sampleRate > 0 && sampleRate <= MOST_HERTZ ? { sampleRate } : {}),
    ...(channels > 0 ? { channels } : {}),
  };
}

/** The nominal bitrate of three; below nought where it is not said. */
function readVorbis(packet: Buffer): Told {
  return {
    channels: packet.readUInt8(11),
    sampleRate: packet.readUInt32LE(12),
    bitsASecond: packet.readInt32LE(20),
  };
}

function readOpus(packet: Buffer): Told {
  return { channels: packet.readUInt8(9), sampleRate: packet.readUInt32LE(12) };
}

/** After the mapping's own nine bytes and `fLaC` comes a block that begins with the sizes of blocks and frames. */
function readFlac(packet: Buffer): Told {
  const rates = packet.readUIntBE(27, 4);
  return { sampleRate: Math.floor(rates / 2 ** 12), channels: ((rates >> 9) & 7) + 1 };
}
