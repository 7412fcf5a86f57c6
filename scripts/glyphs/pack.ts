import type { Font, Glyph } from './font.ts';

/** Fine enough for a letter of three hundred pixels, the largest that is drawn. */
const UNITS = 320;

/**
 * The glyphs in one file, as `server/src/protocols/logos/glyphs/glyphs.ts` reads them: their number, the code point
 * and offset of each, then the outlines.
 */
export function packGlyphs(
  codePoints: readonly number[],
  fonts: readonly Font[],
): { bytes: Buffer; count: number; missing: number[] } {
  const found: [number, Buffer][] = [];
  const missing: number[] = [];
  for (const codePoint of codePoints) {
    const glyph = firstOf(fonts, codePoint);
    if (glyph) found.push([codePoint, packGlyph(glyph)]);
    else missing.push(codePoint);
  }
  const index = Buffer.alloc(4 + found.length * 8);
  index.writeUInt32LE(found.length, 0);
  let start = index.length;
  for (const [n, [codePoint, bytes]] of found.entries()) {
    index.writeUInt32LE(codePoint, 4 + n * 8);
    index.writeUInt32LE(start, 8 + n * 8);
    start += bytes.length;
  }
  return { bytes: Buffer.concat([index, ...found.map(([, bytes]) => bytes)]), count: found.length, missing };
}

function firstOf(fonts: readonly Font[], codePoint: number): Glyph | undefined {
  for (const font of fonts) {
    const glyph = font.find(codePoint);
    if (glyph) return glyph;
  }
  return undefined;
}

const signed = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/**
 * Numbers of seven bits per byte: the advance, the contours, and for each point whether it is on the curve and its
 * offset.
 */
function packGlyph({ advance, contours }: Glyph): Buffer {
  const bytes: number[] = [];
  const put = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  put(Math.round(advance * UNITS));
  put(contours.length);
  let [x, y] = [0, 0];
  for (const contour of contours) {
    put(contour.length);
    for (const point of contour) {
      const [nextX, nextY] = [Math.round(point.x * UNITS), Math.round(point.y * UNITS)];
      put(signed(nextX - x) * 2 + (point.isOn ? 1 : 0));
      put(signed(nextY - y));
      [x, y] = [nextX, nextY];
    }
  }
  return Buffer.from(bytes);
}
