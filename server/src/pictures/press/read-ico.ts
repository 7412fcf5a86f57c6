import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { PictureRefused } from './refused.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const [HEADER, ENTRY, DIB_HEADER] = [6, 16, 40];
const MOST_SIDE = 256;

/** The largest picture of an icon file: a PNG, or the older bitmap, which has its rows from the bottom up. */
export function openIco(bytes: Buffer, options: SharpOptions): Sharp {
  const image = largestOf(bytes);
  if (image.subarray(0, PNG.length).equals(PNG)) return sharp(image, options);
  const { side, data } = readBitmap(image);
  return sharp(data, { raw: { ...side, channels: 4 } });
}

function largestOf(bytes: Buffer): Buffer {
  let best = -1;
  let found: Buffer = Buffer.alloc(0);
  for (let n = 0; n < bytes.readUInt16LE(4); n += 1) {
    const at = HEADER + n * ENTRY;
    if (at + ENTRY > bytes.length) break;
    // A side of 256 is written as 0. Of two of one size the one with more colours is better.
    const rank = (bytes[at] || 256) * 100 + bytes.readUInt16LE(at + 6);
    const [length, offset] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)];
    if (rank <= best || offset + length > bytes.length || length < DIB_HEADER) continue;
    best = rank;
    found = bytes.subarray(offset, offset + length);
  }
  if (best === -1) throw new PictureRefused('the ICO holds no whole picture; save it as a PNG');
  return found;
}

/** Red, green, blue and alpha of each point. */
function readBitmap(image: Buffer): { side: { width: number; height: number }; data: Buffer } {
  // The height counts the mask below the picture too.
  const [width, height] = [image.readInt32LE(4), Math.floor(image.readInt32LE(8) / 2)];
  const bits = image.readUInt16LE(14);
  const isKnown = [1, 4, 8, 24, 32].includes(bits) && image.readUInt32LE(16) === 0;
  if (!isKnown || width < 1 || height < 1 || width > MOST_SIDE || height > MOST_SIDE)
    throw new PictureRefused('the ICO holds a bitmap of a rare kind; save it as a PNG');
  const colours = bits > 8 ? 0 : image.readUInt32LE(32) || 2 ** bits;
  const start = image.readUInt32LE(0) + colours * 4;
  const [row, maskRow] = [rowBytes(width * bits), rowBytes(width)];
  const mask = start + row * height;
  if (start > image.length || mask > image.length)
    throw new PictureRefused('the ICO ends in the middle of its picture');
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const line = start + (height - 1 - y) * row;
      const isMasked = ((image[mask + (height - 1 - y) * maskRow + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      data.set(pointOf(image, line, x, bits, isMasked === 1), (y * width + x) * 4);
    }
  return { side: { width, height }, data: bits === 32 ? withAlpha(data) : data };
}

const rowBytes = (bits: number): number => Math.ceil(bits / 32) * 4;

function pointOf(image: Buffer, line: number, x: number, bits: number, isMasked: boolean): number[] {
  const at = bits >= 24 ? line + (x * bits) / 8 : paletteAt(image, line, x, bits);
  const alpha = bits === 32 ? (image[at + 3] ?? 0) : isMasked ? 0 : 255;
  return [image[at + 2] ?? 0, image[at + 1] ?? 0, image[at] ?? 0, alpha];
}

function paletteAt(image: Buffer, line: number, x: number, bits: number): number {
  const byte = image[line + Math.floor((x * bits) / 8)] ?? 0;
  const shift = 8 - bits - ((x * bits) % 8);
  return image.readUInt32LE(0) + ((byte >> shift) & (2 ** bits - 1)) * 4;
}

/** Old makers of icons left all alpha at nothing and meant all of it to be seen. */
function withAlpha(data: Buffer): Buffer {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return data;
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return data;
}
