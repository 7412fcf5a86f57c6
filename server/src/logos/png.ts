import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflated = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Each row as its difference from the one above: of a picture that changes slowly nearly all of it is zero. */
const FILTER_UP = 2;

/** A square picture of eight bits a channel, red, green and blue in turn, as a PNG file. */
export async function writePng(size: number, rgb: Uint8Array): Promise<Buffer> {
  const rows = await deflated(filtered(size, rgb));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(size)),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(size, 4);
  // Eight bits of true colour; the rest is 0: the only compression, the only filtering, not interlaced.
  bytes.set([8, 2], 8);
  return bytes;
}

function filtered(size: number, rgb: Uint8Array): Uint8Array {
  const width = size * 3;
  const rows = new Uint8Array(size * (width + 1));
  for (let y = 0; y < size; y++) {
    const [from, to] = [y * width, y * (width + 1)];
    rows[to] = FILTER_UP;
    for (let x = 0; x < width; x++) {
      const above = y === 0 ? 0 : rgb[from - width + x]!;
      rows[to + 1 + x] = rgb[from + x]! - above;
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
