import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { type Glyph, pathOf } from './outline-path.ts';

/** Letters in bold of Noto Sans, written by `scripts/glyphs.ts`: no font of the machine is asked, so all draw alike. */
const FILE = new URL('glyphs.br', import.meta.url);
const [COUNT, ENTRY] = [4, 8];

let kept: Buffer | undefined;

/** The letter's glyph; undefined for what the file does not hold. */
export function findGlyph(letter: string): Glyph | undefined {
  kept ??= brotliDecompressSync(readFileSync(FILE));
  const at = search(kept, letter.codePointAt(0) ?? 0);
  return at === undefined ? undefined : pathOf(kept, kept.readUInt32LE(at + 4));
}

export const hasGlyph = (letter: string): boolean => findGlyph(letter) !== undefined;

/** Where the index has the code point, by halves. */
function search(glyphs: Buffer, codePoint: number): number | undefined {
  let [low, high] = [0, glyphs.readUInt32LE(0) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = COUNT + middle * ENTRY;
    const found = glyphs.readUInt32LE(at);
    if (found === codePoint) return at;
    if (found < codePoint) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
