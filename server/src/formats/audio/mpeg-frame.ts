import type { ReadFrame } from './audio.ts';

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
const VERSIONS = [{ name: '2.5', slower: 4 }, undefined, { name: '2', slower: 2 }, { name: '1', slower: 1 }];
const MONO = 3;

/** A frame of MPEG audio: layers 1 to 3 of versions 1, 2 and 2.5. */
export const readMpegFrame: ReadFrame = (bytes, at) => {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const [kind = 0, rates = 0, mode = 0] = [bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  const version = VERSIONS[(kind >> 3) & 3];
  const layer = 4 - ((kind >> 1) & 3);
  if ((kind & 0xe0) !== 0xe0 || !version || layer === 4) return undefined;
  const bitrate = BITRATES[version.slower === 1 ? 'first' : 'later'][layer - 1]?.[(rates >> 4) - 1];
  const fullRate = SAMPLE_RATES[(rates >> 2) & 3];
  if (bitrate === undefined || fullRate === undefined) return undefined;
  const sampleRate = fullRate / version.slower;
  const samples = layer === 1 ? 384 : layer === 3 && version.slower > 1 ? 576 : 1152;
  const slot = layer === 1 ? 4 : 1;
  const slots = Math.floor((bitrate * 1000 * samples) / 8 / slot / sampleRate) + ((rates >> 1) & 1);
  const channels = mode >> 6 === MONO ? 1 : 2;
  const codec = `MPEG ${version.name} Layer ${layer}`;
  return { codec, bytes: slots * slot, samples, sampleRate, channels, bitrate };
};
