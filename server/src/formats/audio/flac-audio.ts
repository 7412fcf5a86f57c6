import type { Audio } from './audio.ts';

const BLOCK_HEADER = 4;
const STREAM_INFO_BYTES = 34;
/** In the block that says what the stream is: after the sizes of blocks and frames. */
const RATES_AT = 10;

/**
 * What the first block of FLAC says of its sound. Not by music-metadata: it makes room for as many comments as a file says
 * it has, and a few kilobytes that say thirty million cost 256 MB.
 */
export function flacAudio(bytes: Buffer): Audio | undefined {
  const info = bytes.subarray(4 + BLOCK_HEADER, 4 + BLOCK_HEADER + STREAM_INFO_BYTES);
  const isInfo = ((bytes[4] ?? 0xff) & 0x7f) === 0;
  if (!isInfo || info.length < STREAM_INFO_BYTES) return undefined;
  const rates = info.readUInt32BE(RATES_AT);
  const sampleRate = rates >>> 12;
  if (sampleRate === 0) return undefined;
  return {
    format: 'flac',
    codec: 'FLAC',
    container: 'FLAC',
    sampleRate,
    channels: ((rates >>> 9) & 7) + 1,
  };
}
