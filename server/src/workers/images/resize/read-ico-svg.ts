import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { PictureRefused } from './kind-of.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const [HEADER, ENTRY, DIB_HEADER] = [6, 16, 40];
const MAX_SIDE = 256;

/** The largest picture in an icon file: a PNG, or the older bitmap, which stores its rows bottom-up. */
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
    // A side of 256 is written as 0. Of two of one size, the one with more colours is better.
    const rank = (bytes[at] || 256) * 100 + bytes.readUInt16LE(at + 6);
    const [length, offset] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)];
    if (rank <= best || offset + length > bytes.length || length < DIB_HEADER) continue;
    best = rank;
    found = bytes.subarray(offset, offset + length);
  }
  if (best === -1) throw new PictureRefused('the ICO contains no complete picture; save it as a PNG');
  return found;
}

/** Red, green, blue and alpha of each pixel. */
function readBitmap(image: Buffer): { side: { width: number; height: number }; data: Buffer } {
  // The height includes the mask below the picture.
  const [width, height] = [image.readInt32LE(4), Math.floor(image.readInt32LE(8) / 2)];
  const bits = image.readUInt16LE(14);
  const isKnown = [1, 4, 8, 24, 32].includes(bits) && image.readUInt32LE(16) === 0;
  if (!isKnown || width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw new PictureRefused('the ICO contains an unsupported bitmap; save it as a PNG');
  const colours = bits > 8 ? 0 : image.readUInt32LE(32) || 2 ** bits;
  const start = image.readUInt32LE(0) + colours * 4;
  const [row, maskRow] = [rowBytes(width * bits), rowBytes(width)];
  const mask = start + row * height;
  if (start > image.length || mask > image.length)
    throw new PictureRefused('the ICO is cut short; save it again');
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

/** Old icon editors left alpha at zero everywhere and meant the icon to be opaque. */
function withAlpha(data: Buffer): Buffer {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return data;
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return data;
}

/** SVG's own units are drawn at this density. */
const DENSITY = 72;
const MAX_DENSITY = 7200;

/**
 * Rasterises the drawing so that its longer side has at least `side` pixels. It may contain shapes, but no references.
 */
export async function openSvg(bytes: Buffer, side: number, options: SharpOptions): Promise<Sharp> {
  requireSelfContained(bytes);
  const { width, height } = await sharp(bytes, options).metadata();
  const density = Math.max(1, Math.min(MAX_DENSITY, (DENSITY * side) / Math.max(width, height)));
  return sharp(bytes, { ...options, density });
}

/**
 * The renderer fetches nothing by itself; a drawing with references would come out with holes, and may be malicious.
 */
function requireSelfContained(bytes: Buffer): void {
  const text = decode(bytes);
  if (/<!ENTITY/i.test(text)) throw new PictureRefused('the SVG defines entities; save it without them');
  const drawn = text
    .replaceAll(/<a\s[^<>]*>/gi, '')
    .replaceAll(/\sxmlns(?::\w+)?\s*=\s*(?:"[^"]*"|'[^']*')/gi, '');
  if (/\bhref\s*=\s*(?:["']\s*)?data:/i.test(drawn))
    throw new PictureRefused('the SVG only wraps another picture; use that picture instead');
  if (
    /\bhref\s*=\s*(?:["']\s*)?[^"'\s#]/i.test(drawn) ||
    /url\(\s*(?:["']\s*)?[^"'\s#)]/i.test(drawn) ||
    /@import|<\?xml-stylesheet/i.test(drawn)
  )
    throw new PictureRefused('the SVG refers to external files; embed them and save it again');
}

/** Another encoding would hide from this check what the renderer sees. */
function decode(bytes: Buffer): string {
  const [, encoding = 'utf-8'] =
    /^[^>]{0,200}\bencoding\s*=\s*["']([^"']*)/i.exec(bytes.toString('latin1', 0, 300)) ?? [];
  if (!/^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding) || bytes.includes(0))
    throw new PictureRefused('the SVG is not in UTF-8; save it as UTF-8');
  return bytes.toString('utf8');
}
