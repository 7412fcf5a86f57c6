import { readAdtsFrame, readMpegFrame } from './frames.ts';

/** Enough to know what a frame is like. */
export const FRAME_HEADER_BYTES = 7;

const NO_CHECKSUM = 0x01;
const MPEG_HEADER_BYTES = 4;
const LAYER_3 = 'Layer 3';

/** What a decoder of AAC-LC makes silence of, by the number of channels: no spectrum at all, and the end of the frame. */
const SILENT_AAC: Readonly<Record<number, readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
};

export interface SilentFrame {
  readonly bytes: Buffer;
  /** How long it is silent. */
  readonly ms: number;
}

/** A frame of silence that may follow one with this header; undefined for formats that have none. */
export function silentFrame(header: Buffer): SilentFrame | undefined {
  return silentMp3(header) ?? silentAac(header);
}

/** With side information of zeros a frame says that it has no sound, whatever its rate. */
function silentMp3(header: Buffer): SilentFrame | undefined {
  const frame = readMpegFrame(header, 0);
  if (!frame?.codec.endsWith(LAYER_3)) return undefined;
  const bytes = Buffer.alloc(frame.bytes);
  header.copy(bytes, 0, 0, MPEG_HEADER_BYTES);
  bytes[1] = bytes[1]! | NO_CHECKSUM;
  return { bytes, ms: (1000 * frame.samples) / frame.sampleRate };
}

function silentAac(header: Buffer): SilentFrame | undefined {
  const frame = readAdtsFrame(header, 0);
  const sound = frame && SILENT_AAC[frame.channels];
  if (!sound) return undefined;
  const bytes = Buffer.from([...header.subarray(0, FRAME_HEADER_BYTES), ...sound]);
  bytes[1] = bytes[1]! | NO_CHECKSUM;
  // The length is 13 bits across three bytes; one block of sound.
  bytes[3] = (bytes[3]! & 0xfc) | (bytes.length >> 11);
  bytes[4] = (bytes.length >> 3) & 0xff;
  bytes[5] = ((bytes.length & 7) << 5) | 0x1f;
  bytes[6] = 0xfc;
  return { bytes, ms: (1000 * 1024) / frame.sampleRate };
}
