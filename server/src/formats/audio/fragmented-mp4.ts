import { boxesOf } from './containers.ts';

/**
 * AAC in fMP4, as HLS sends it, to ADTS, as radios play it: sizes of frames come from each fragment's `trun`, what they are
 * from the `esds` of the initialisation section. HE-AAC is written as AAC-LC of half the rate, as ADTS always has it.
 */

const FULL_BOX = 4;
const ADTS_HEADER = 7;
const MAX_ADTS_BYTES = 8191;
const AUDIO_SAMPLE_ENTRY = 28;
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const OBJECT_TYPES = { LC: 2, SBR: 5, PS: 29 };

/** What ADTS says before each frame. */
export interface AacConfig {
  objectType: number;
  rateIndex: number;
  channels: number;
}

/** What the initialisation section says of the sound; undefined for what cannot be ADTS. */
export function aacConfig(init: Buffer): AacConfig | undefined {
  const stsd = inside(init, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd');
  const entry = stsd && boxesOf(stsd.subarray(FULL_BOX + 4)).find(({ type }) => type === 'mp4a');
  const esds =
    entry && boxesOf(entry.content.subarray(AUDIO_SAMPLE_ENTRY)).find(({ type }) => type === 'esds');
  const config = esds && specificConfig(esds.content.subarray(FULL_BOX));
  return config && parseConfig(config);
}

/** The content of the first box on this way; of several tracks the first with sound is the only one in radio. */
function inside(bytes: Buffer, ...path: string[]): Buffer | undefined {
  let within: Buffer | undefined = bytes;
  for (const name of path) within = within && boxesOf(within).find(({ type }) => type === name)?.content;
  return within;
}

const TAGS = { es: 3, decoder: 4, specific: 5 };

/** The decoder's own data, three descriptors deep. */
function specificConfig(bytes: Buffer): Buffer | undefined {
  const es = descriptor(bytes, TAGS.es);
  const decoder = es && descriptor(es.subarray(3 + optionalFields(es)), TAGS.decoder);
  return decoder && descriptor(decoder.subarray(13), TAGS.specific);
}

const optionalFields = (es: Buffer): number => {
  const flags = es[2] ?? 0;
  const url = (flags & 0x40) === 0 ? 0 : 1 + (es[3 + ((flags & 0x80) === 0 ? 0 : 2)] ?? 0);
  return ((flags & 0x80) === 0 ? 0 : 2) + url + ((flags & 0x20) === 0 ? 0 : 2);
};

/** Its length is written in sevens of bits, up to four of them. */
function descriptor(bytes: Buffer, tag: number): Buffer | undefined {
  if (bytes[0] !== tag) return undefined;
  let [length, at] = [0, 1];
  for (; at < 5; at += 1) {
    length = (length << 7) | ((bytes[at] ?? 0) & 0x7f);
    if (((bytes[at] ?? 0) & 0x80) === 0) break;
  }
  return bytes.subarray(at + 1, at + 1 + length);
}

function parseConfig(bytes: Buffer): AacConfig | undefined {
  if (bytes.length < 2) return undefined;
  const bits = new Bits(bytes);
  const type = bits.read(5);
  const rateIndex = bits.read(4);
  const channels = bits.read(4);
  const isHe = type === OBJECT_TYPES.SBR || type === OBJECT_TYPES.PS;
  const isKnown = SAMPLE_RATES[rateIndex] !== undefined && channels > 0 && channels < 8;
  // Above 4 nothing fits into the two bits that ADTS has for it.
  if (!isKnown || !(isHe || (type >= 1 && type <= 4))) return undefined;
  return { objectType: isHe ? OBJECT_TYPES.LC : type, rateIndex, channels };
}

class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, this.#at += 1)
      value = (value << 1) | (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    return value;
  }
}

/** Some encoders write two boxes for each frame: so many are a minute at 48 kHz, and some metadata. */
const MAX_FRAGMENT_BOXES = 8000;
/** In a segment: seven minutes at 48 kHz. */
const MAX_SAMPLES = 20_000;

/** The frames of a segment, each with a header. */
export function adtsOfFragments(segment: Buffer, config: AacConfig): Buffer {
  const frames: Buffer[] = [];
  let sizes: number[] = [];
  let left = MAX_SAMPLES;
  for (const { type, content } of boxesOf(segment, MAX_FRAGMENT_BOXES)) {
    if (type === 'moof') {
      sizes = sampleSizes(content, left);
      left -= sizes.length;
    }
    if (type !== 'mdat') continue;
    let at = 0;
    for (const size of sizes) {
      if (at + size > content.length || size + ADTS_HEADER > MAX_ADTS_BYTES) break;
      frames.push(headerOf(config, size), content.subarray(at, at + size));
      at += size;
    }
    sizes = [];
  }
  return Buffer.concat(frames);
}

const HAS = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800 };

function sampleSizes(moof: Buffer, most: number): number[] {
  const sizes: number[] = [];
  for (const { type, content } of boxesOf(moof)) {
    if (type !== 'traf') continue;
    const boxes = boxesOf(content);
    const usual = defaultSize(boxes.find((box) => box.type === 'tfhd')?.content);
    for (const box of boxes) if (box.type === 'trun') addSizes(sizes, box.content, usual, most);
  }
  return sizes;
}

/** `tfhd`: fields that may be there, in order. */
function defaultSize(tfhd: Buffer | undefined): number {
  if (!tfhd || tfhd.length < 8) return 0;
  const flags = tfhd.readUIntBE(1, 3);
  let at = 8;
  if ((flags & 0x1) !== 0) at += 8;
  if ((flags & 0x2) !== 0) at += 4;
  if ((flags & 0x8) !== 0) at += 4;
  return (flags & 0x10) !== 0 && at + 4 <= tfhd.length ? tfhd.readUInt32BE(at) : 0;
}

function addSizes(sizes: number[], trun: Buffer, usual: number, most: number): void {
  if (trun.length < 8) return;
  const flags = trun.readUIntBE(1, 3);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const count = Math.min(trun.readUInt32BE(4), most - sizes.length);
  let at = 8 + (has(HAS.dataOffset) ? 4 : 0) + (has(HAS.firstFlags) ? 4 : 0);
  const before = has(HAS.duration) ? 4 : 0;
  const length = before + (has(HAS.size) ? 4 : 0) + (has(HAS.flags) ? 4 : 0) + (has(HAS.offset) ? 4 : 0);
  for (let sample = 0; sample < count && at + length <= trun.length; sample += 1, at += length)
    sizes.push(has(HAS.size) ? trun.readUInt32BE(at + before) : usual);
}

function headerOf({ objectType, rateIndex, channels }: AacConfig, size: number): Buffer {
  const length = size + ADTS_HEADER;
  return Buffer.of(
    0xff,
    0xf1,
    ((objectType - 1) << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  );
}
