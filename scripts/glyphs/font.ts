import { type Contour, OutlineReader } from './outlines.ts';
import { readTables } from './woff.ts';

/** The outline of a character, in fractions of the em. */
export interface Glyph {
  advance: number;
  contours: Contour[];
}

/** A font with TrueType outlines. */
export class Font {
  readonly #glyphOf: Map<number, number>;
  readonly #outlines: OutlineReader;
  readonly #unitsPerEm: number;
  readonly #metrics: Buffer;
  readonly #metricCount: number;

  constructor(woff: Buffer) {
    const tables = readTables(woff);
    const table = (name: string): Buffer => tables.get(name) ?? Buffer.alloc(0);
    const head = table('head');
    this.#unitsPerEm = head.readUInt16BE(18);
    this.#metrics = table('hmtx');
    this.#metricCount = table('hhea').readUInt16BE(34);
    this.#outlines = new OutlineReader(table('glyf'), table('loca'), head.readInt16BE(50) === 1);
    this.#glyphOf = readCharacters(table('cmap'));
  }

  find(codePoint: number): Glyph | undefined {
    const index = this.#glyphOf.get(codePoint);
    if (index === undefined || index === 0) return undefined;
    const contours = this.#outlines.read(index);
    if (contours.length === 0) return undefined;
    const at = Math.min(index, this.#metricCount - 1) * 4;
    const scaled = contours.map((contour) =>
      contour.map(({ x, y, isOn }) => ({ x: x / this.#unitsPerEm, y: y / this.#unitsPerEm, isOn })),
    );
    return { advance: this.#metrics.readUInt16BE(at) / this.#unitsPerEm, contours: scaled };
  }
}

/** Code point to glyph, from the subtables of formats 4 and 12, which together cover every character of a web font. */
function readCharacters(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let table = 0; table < cmap.readUInt16BE(2); table += 1) {
    const at = cmap.readUInt32BE(8 + table * 8);
    const format = cmap.readUInt16BE(at);
    if (format === 4) readSegments(cmap.subarray(at), glyphs);
    if (format === 12) readGroups(cmap.subarray(at), glyphs);
  }
  return glyphs;
}

function readSegments(table: Buffer, glyphs: Map<number, number>): void {
  const width = table.readUInt16BE(6);
  for (let segment = 0; segment < width; segment += 2) {
    const end = table.readUInt16BE(14 + segment);
    const start = table.readUInt16BE(16 + width + segment);
    const delta = table.readUInt16BE(16 + 2 * width + segment);
    const rangeAt = 16 + 3 * width + segment;
    const range = table.readUInt16BE(rangeAt);
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const found = range === 0 ? code : table.readUInt16BE(rangeAt + range + 2 * (code - start));
      if (found !== 0) glyphs.set(code, (found + delta) & 0xffff);
    }
  }
}

function readGroups(table: Buffer, glyphs: Map<number, number>): void {
  for (let at = 16, left = table.readUInt32BE(12); left > 0; at += 12, left -= 1) {
    const [start, end, glyph] = [
      table.readUInt32BE(at),
      table.readUInt32BE(at + 4),
      table.readUInt32BE(at + 8),
    ];
    for (let code = start; code <= end; code += 1) glyphs.set(code, glyph + code - start);
  }
}
