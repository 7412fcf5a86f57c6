import { inflateSync } from 'node:zlib';

/** The tables of a WOFF 1.0 font, by their four-letter tags. */
export function readTables(woff: Buffer): Map<string, Buffer> {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF 1.0 file');
  const tables = new Map<string, Buffer>();
  for (let entry = 44, left = woff.readUInt16BE(12); left > 0; entry += 20, left -= 1) {
    const offset = woff.readUInt32BE(entry + 4);
    const packed = woff.subarray(offset, offset + woff.readUInt32BE(entry + 8));
    const isPacked = packed.length < woff.readUInt32BE(entry + 12);
    tables.set(woff.toString('latin1', entry, entry + 4), isPacked ? inflateSync(packed) : packed);
  }
  return tables;
}
