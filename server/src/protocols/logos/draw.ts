import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp, { type Sharp } from 'sharp';
import { type PictureKind, type PictureSize, SIDES } from '../../storage/catalog/images/pictures.ts';
import { findGlyph } from './glyphs/glyphs.ts';
import type { Glyph } from './glyphs/outline-path.ts';

/** An encoded picture, ready to be sent. */
export interface LogoFile {
  bytes: Buffer;
  etag: string;
}

/** Cache size for drawn placeholders. */
const MAX_BYTES = 8 * 2 ** 20;
const DENSITY = 72;

/** Concurrent requests for the same picture share one drawing, which is then cached. */
const drawn = new LRUCache<string, Promise<LogoFile>>({
  max: 5000,
  maxSize: MAX_BYTES,
  maxEntrySize: MAX_BYTES,
});

/** The placeholder for a missing picture: initials on the item's tint, or the service's mark without initials. */
export function drawPlaceholder(
  id: string,
  initials: string,
  size: PictureSize,
  kind: PictureKind,
): Promise<LogoFile> {
  const tint = tintOf(id);
  const key = `${initials} ${tint} ${size} ${kind}`;
  const known = drawn.get(key);
  if (known) return known;
  const drawing = write(open(initials, tint, SIDES[size]), kind);
  // The encoded size is not known yet: assume a byte per pixel, which is more.
  drawn.set(key, drawing, { size: SIDES[size] ** 2 });
  drawing.then(
    ({ bytes }) => drawn.peek(key) === drawing && drawn.set(key, drawing, { size: bytes.length }),
    () => drawn.delete(key),
  );
  return drawing;
}

function open(initials: string, tint: number, side: number): Sharp {
  const colours = TINTS[tint]!;
  if (initials === '')
    return sharp(drawMark(side, colours), { raw: { width: side, height: side, channels: 3 } });
  const svg = Buffer.from(drawInitials(initials, colours, side));
  return sharp(svg, { density: DENSITY }).flatten();
}

async function write(picture: Sharp, kind: PictureKind): Promise<LogoFile> {
  const written = kind === 'png' ? picture.png({ compressionLevel: 9 }) : picture.jpeg({ quality: 90 });
  const bytes = await written.toBuffer();
  return { bytes, etag: `"${hash('sha256', bytes).slice(0, 20)}"` };
}

/** Side of the drawing in its own units, independent of the output size. */
const SIDE = 320;
/** The space for the letters; scripts whose letters stand for whole words have more strokes and get more room. */
const MAX_WIDTH = SIDE * 0.62;
const [MAX, MAX_WORD] = [SIDE * 0.42, SIDE * 0.52];
const WORD = /^[\p{Script=Han}\p{Script=Hangul}]/u;
/** Space between letters, in units of the em. */
const GAP = 24;

/** The initials in white on the tint, as SVG of that many pixels. */
function drawInitials(initials: string, tint: Tint, pixels: number): string {
  const { shape, width, height } = lettersOf(initials);
  const scale = Math.min(MAX_WIDTH / width, (WORD.test(initials) ? MAX_WORD : MAX) / height);
  const [x, y] = [(SIDE - width * scale) / 2, (SIDE - height * scale) / 2];
  return writeTile(
    tint,
    pixels,
    `<g fill="#fff" transform="translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})">${shape}</g>`,
  );
}

/** The letters side by side, relative to their common top left corner. */
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

/** A square with a gradient that gets darker towards the bottom. */
function writeTile({ top, foot }: Tint, pixels: number, inside: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${SIDE} ${SIDE}"><defs>` +
    `<linearGradient id="t" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${writeColour(top)}"/><stop offset="1" stop-color="${writeColour(foot)}"/></linearGradient>` +
    `</defs><rect width="${SIDE}" height="${SIDE}" fill="url(#t)"/>${inside}</svg>`
  );
}

const writeColour = (colour: readonly number[]): string => `rgb(${colour.join(',')})`;

const hex = (colour: number): Tint['top'] => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];

/** Muted, and dark enough at the bottom for white to stand out. */
export const TINTS: readonly Tint[] = [
  [0x3a87a0, 0x1f566b],
  [0x4a86c5, 0x264f86],
  [0x5f74c4, 0x364385],
  [0x7d6bbd, 0x4a3b80],
  [0x9a66ad, 0x613a72],
  [0xb46390, 0x74375a],
  [0xbf6b6b, 0x7b3b3f],
  [0xb66e45, 0x7d472a],
  [0x9c7f3b, 0x6d5627],
  [0x718740, 0x4e5f2b],
  [0x468a5c, 0x2b5f3f],
  [0x38897d, 0x215b54],
].map(([top = 0, foot = 0]) => ({ top: hex(top), foot: hex(foot) }));

/** An item's tint: always the same one, and different from its neighbours' in a list. */
export function tintOf(id: string): number {
  let mixed = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) mixed = Math.imul(mixed ^ id.charCodeAt(index), 0x01000193);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % TINTS.length;
}

/** The colours at the top and the bottom of the tile. */
export interface Tint {
  readonly top: Colour;
  readonly foot: Colour;
}

type Colour = readonly [red: number, green: number, blue: number];

/** Waves going out from a point to both sides. Lengths are fractions of the tile's side. */
const DOT_RADIUS = 0.075;
const ARCS = [
  { radius: 0.17, opacity: 1 },
  { radius: 0.265, opacity: 0.78 },
  { radius: 0.36, opacity: 0.5 },
];
const STROKE = 0.048;
const HALF_ANGLE = (50 * Math.PI) / 180;
const CAP = { x: Math.cos(HALF_ANGLE), y: Math.sin(HALF_ANGLE) };
/** A glow behind the mark. */
const GLOW = 0.16;

/** The mark on a tile, as RGB bytes. */
function drawMark(size: number, { top, foot }: Tint): Uint8Array {
  const quarter = drawQuarter(size);
  const half = Math.ceil(size / 2);
  const rgb = new Uint8Array(size * size * 3);
  let at = 0;
  for (let row = 0; row < size; row++) {
    const tile = top.map((channel, index) => mix(channel, foot[index]!, row / (size - 1)));
    const line = Math.min(row, size - 1 - row) * half;
    for (let column = 0; column < size; column++) {
      const light = quarter[line + Math.min(column, size - 1 - column)]!;
      for (let channel = 0; channel < 3; channel++) rgb[at++] = Math.round(mix(tile[channel]!, 255, light));
    }
  }
  return rgb;
}

/** The brightness of the upper left quarter: the mark is symmetric both ways. */
function drawQuarter(size: number): Float64Array {
  const half = Math.ceil(size / 2);
  const quarter = new Float64Array(half * half);
  for (let row = 0; row < half; row++) {
    for (let column = 0; column < half; column++) {
      const [x, y] = [0.5 - (column + 0.5) / size, 0.5 - (row + 0.5) / size];
      quarter[row * half + column] = lightAt(x, y, size);
    }
  }
  return quarter;
}

const mix = (from: number, to: number, part: number): number => from + (to - from) * part;

/** How white a point is: 0 the tile, 1 the mark. */
function lightAt(x: number, y: number, size: number): number {
  const distance = lengthOf(x, y);
  const glow = GLOW * Math.max(0, 1 - distance / 0.5) ** 2;
  let light = Math.max(glow, coverage(distance - DOT_RADIUS, size));
  for (const { radius, opacity } of ARCS) {
    const cover = coverage(distanceToArc(x, y, distance, radius) - STROKE / 2, size);
    light = Math.max(light, cover * opacity);
  }
  return light;
}

function distanceToArc(x: number, y: number, distance: number, radius: number): number {
  const isWithin = y * CAP.x <= x * CAP.y;
  return isWithin ? Math.abs(distance - radius) : lengthOf(x - radius * CAP.x, y - radius * CAP.y);
}

/** `Math.hypot` is slower because it guards against overflow, which cannot happen here. */
const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** How much of a pixel lies inside an edge at this distance; smooth over one pixel. */
const coverage = (distance: number, size: number): number => Math.min(1, Math.max(0, 0.5 - distance * size));
