import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A blue disc on nothing, of any size. */
export const disc = (width: number, height = width): Sharp =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="50%" cy="50%" r="45%" fill="#0a58ca"/></svg>`,
    ),
  );

/** An opaque picture of one colour. */
export const plain = (width: number, height: number, background: string): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

export const svg = (inside: string, attributes = 'width="200" height="200"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
  );

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG that says it has so many points, whatever its rows are. */
export function pngOf(width: number, height: number, rows: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

/** An icon file of the pictures given, each a PNG or a bitmap without its file header. */
export function icoOf(...images: { side: number; bits: number; bytes: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + images.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [n, { side, bits, bytes }] of images.entries()) {
    const at = 6 + n * 16;
    head.set([side % 256, side % 256], at);
    head.writeUInt16LE(bits, at + 6);
    head.writeUInt32LE(bytes.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  }
  return Buffer.concat([head, ...images.map(({ bytes }) => bytes)]);
}

/** A bitmap of one colour as icons hold it: blue, green, red and, with 32 bits, alpha; rows are whole words. */
export function bitmapOf(
  side: number,
  bits: 8 | 24 | 32,
  [red, green, blue]: [number, number, number],
): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(side, 4);
  header.writeInt32LE(side * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(bits, 14);
  if (bits === 8) header.writeUInt32LE(2, 32);
  const palette = bits === 8 ? Buffer.from([0, 0, 0, 0, blue, green, red, 0]) : Buffer.alloc(0);
  const point = bits === 8 ? [1] : bits === 24 ? [blue, green, red] : [blue, green, red, 255];
  const row = Buffer.alloc(Math.ceil((side * bits) / 32) * 4);
  for (let x = 0; x < side; x += 1) row.set(point, x * point.length);
  const mask = Buffer.alloc(Math.ceil(side / 32) * 4 * side);
  return Buffer.concat([header, palette, ...Array.from({ length: side }, () => row), mask]);
}
