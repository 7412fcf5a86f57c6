import type { ReadFrame } from './audio.ts';

const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const PROFILES = ['AAC Main', 'AAC-LC', 'AAC SSR', 'AAC LTP'];
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];
const SAMPLES = 1024;
const HEADER_BYTES = 7;

/** A frame of AAC as radios send it. */
export const readAdtsFrame: ReadFrame = (bytes, at) => {
  if (at + HEADER_BYTES > bytes.length || bytes[at] !== 0xff) return undefined;
  const byte = (offset: number): number => bytes[at + offset] ?? 0;
  const [rates, third] = [byte(2), byte(3)];
  const sampleRate = SAMPLE_RATES[(rates >> 2) & 15];
  const length = ((third & 3) << 11) | (byte(4) << 3) | (byte(5) >> 5);
  if ((byte(1) & 0xf6) !== 0xf0 || sampleRate === undefined || length < HEADER_BYTES) return undefined;
  const blocks = (byte(6) & 3) + 1;
  const channels = CHANNELS[((rates & 1) << 2) | (third >> 6)] ?? 0;
  const codec = PROFILES[rates >> 6] ?? 'AAC';
  return { codec, bytes: length, samples: SAMPLES * blocks, sampleRate, channels };
};
