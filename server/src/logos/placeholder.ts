import { findGlyph } from './glyphs/glyphs.ts';
import type { Glyph } from './glyphs/outline-path.ts';
import type { Tint } from './mark.ts';

/** Units of the drawing, whatever size it is made in. */
const SIDE = 320;
/** What the letters may fill; those that are a whole word in themselves have more lines, and need more room. */
const WIDEST = SIDE * 0.62;
const [HIGHEST, HIGHEST_WORD] = [SIDE * 0.42, SIDE * 0.52];
const WORD = /^[\p{Script=Han}\p{Script=Hangul}]/u;
/** Between letters, in units of the em. */
const GAP = 24;

/** The initials, white on the tint, as SVG of so many pixels. */
export function drawInitials(initials: string, tint: Tint, pixels: number): string {
  const { shape, width, height } = lettersOf(initials);
  const scale = Math.min(WIDEST / width, (WORD.test(initials) ? HIGHEST_WORD : HIGHEST) / height);
  const [x, y] = [(SIDE - width * scale) / 2, (SIDE - height * scale) / 2];
  return tile(
    tint,
    pixels,
    `<g fill="#fff" transform="translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})">${shape}</g>`,
  );
}

/** The letters side by side, from their common top left corner. */
function lettersOf(initials: string): { shape: string; width: number; height: number } {
  const glyphs = Array.from(initials, findGlyph).filter((glyph): glyph is Glyph => glyph !== undefined);
  const top = Math.min(...glyphs.map(({ box }) => box.top));
  const bottom = Math.max(...glyphs.map(({ box }) => box.bottom));
  let width = 0;
  const shapes = glyphs.map(({ path, box }, n) => {
    const left = width + (n > 0 ? GAP : 0);
    width = left + box.right - box.left;
    return `<path transform="translate(${left - box.left} ${-top})" d="${path}"/>`;
  });
  return { shape: shapes.join(''), width: Math.max(1, width), height: Math.max(1, bottom - top) };
}

/** A square that gets darker towards its foot. */
function tile({ top, foot }: Tint, pixels: number, inside: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${SIDE} ${SIDE}"><defs>` +
    `<linearGradient id="t" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${rgb(top)}"/><stop offset="1" stop-color="${rgb(foot)}"/></linearGradient>` +
    `</defs><rect width="${SIDE}" height="${SIDE}" fill="url(#t)"/>${inside}</svg>`
  );
}

const rgb = (colour: readonly number[]): string => `rgb(${colour.join(',')})`;
