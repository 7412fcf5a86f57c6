import type { Frame, ReadFrame } from './audio.ts';

const BITRATES = {
  // By layer, of MPEG 1.
  first: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  // Of MPEG 2 and 2.5.
  later: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** By the two bits that name the version. */
const VERSIONS = [versionOf('2.5', 4), undefined, versionOf('2', 2), versionOf('1', 1)];
const MONO = 3;

function versionOf(name: string, slower: number) {
  const codecs = [1, 2, 3].map((layer) => `MPEG ${name} Layer ${layer}`);
  return { slower, codecs, bitrates: BITRATES[slower === 1 ? 'first' : 'later'] };
}

/** By what the header says after its first byte: a stream has a handful, and of all streams there are 16,384 at most. */
const known = new Map<number, Frame | undefined>();

/** A frame of MPEG audio: layers 1 to 3 of versions 1, 2 and 2.5. */
export const readMpegFrame: ReadFrame = (bytes, at) => {
  const kind = bytes[at + 1] ?? 0;
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (kind & 0xe0) !== 0xe0) return undefined;
  const header = ((kind & 0x1e) << 9) | ((bytes[at + 2] ?? 0) << 2) | ((bytes[at + 3] ?? 0) >> 6);
  if (!known.has(header)) known.set(header, frameOf(kind, bytes[at + 2] ?? 0, (bytes[at + 3] ?? 0) >> 6));
  return known.get(header);
};

function frameOf(kind: number, rates: number, mode: number): Frame | undefined {
  const version = VERSIONS[(kind >> 3) & 3];
  const layer = 4 - ((kind >> 1) & 3);
  const bitrate = version?.bitrates[layer - 1]?.[(rates >> 4) - 1];
  const fullRate = SAMPLE_RATES[(rates >> 2) & 3];
  if (!version || bitrate === undefined || fullRate === undefined) return undefined;
  const sampleRate = fullRate / version.slower;
  const samples = layer === 1 ? 384 : layer === 3 && version.slower > 1 ? 576 : 1152;
  const slot = layer === 1 ? 4 : 1;
  const slots = Math.floor((bitrate * 1000 * samples) / 8 / slot / sampleRate) + ((rates >> 1) & 1);
  const codec = version.codecs[layer - 1] ?? '';
  return { codec, bytes: slots * slot, samples, sampleRate, channels: mode === MONO ? 1 : 2, bitrate };
}
