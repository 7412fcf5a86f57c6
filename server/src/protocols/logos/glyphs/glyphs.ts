import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { type Glyph, pathOf } from './outline-path.ts';

/**
 * Outlines of bold Noto Sans letters, written by `scripts/glyphs.ts`: no system fonts are used, so every machine draws
 * the same.
 */
const FILE = new URL('glyphs.br', import.meta.url);
const [COUNT, ENTRY] = [4, 8];

let kept: Buffer | undefined;

/** The letter's glyph; undefined when the file does not have it. */
export function findGlyph(letter: string): Glyph | undefined {
  kept ??= brotliDecompressSync(readFileSync(FILE));
  const at = search(kept, letter.codePointAt(0) ?? 0);
  return at === undefined ? undefined : pathOf(kept, kept.readUInt32LE(at + 4));
}

export const hasGlyph = (letter: string): boolean => findGlyph(letter) !== undefined;

/** Binary search for the code point in the index. */
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
