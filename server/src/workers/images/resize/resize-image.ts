import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { SIDES, type SizedPicture } from '../../../storage/catalog/images/pictures.ts';
import { kindOf, PictureRefused, type SourceKind } from './kind-of.ts';
import { openIco, openSvg } from './read-ico-svg.ts';

/** Decoded, a picture of this many pixels takes 100 MB. */
const MAX_PIXELS = 25_000_000;
/** Anything smaller says less than the item's initials. */
const MIN_SIDE = 24;
/** Of 255; a fainter pixel is indistinguishable from its backdrop. */
const MIN_ALPHA = 8;
/** Enlarged further it would be a blur; the rest of the tile stays backdrop. */
const MAX_ENLARGED = 4;
/** A larger file is worth encoding again with 256 colours. */
const LARGE_PNG = 24_000;
/**
 * Effort spent on the best 256 colours: at 7 of 10, noise of 600 x 600 takes five seconds and is 1 % smaller than at
 * 3.
 */
const PALETTE_EFFORT = 3;

export interface ResizedImage {
  width: number;
  height: number;
  files: SizedPicture[];
}

const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true };

/** Turns a picture of any format into the sizes and formats that radios show. Throws `PictureRefused`. */
export async function resizeImage(bytes: Buffer): Promise<ResizedImage> {
  const kind = kindOf(bytes);
  try {
    const { width, height, points } = await decode(bytes, kind);
    requireSomething(points);
    return { width, height, files: await resizeToSizes(points) };
  } catch (error) {
    throw error instanceof PictureRefused ? error : refusalOf(kind, error);
  }
}

async function decode(
  bytes: Buffer,
  kind: SourceKind,
): Promise<{ width: number; height: number; points: Points }> {
  const opened = await open(bytes, kind);
  const { autoOrient } = await opened.metadata();
  const { width, height } = autoOrient;
  if (Math.max(width, height) < MIN_SIDE)
    throw new PictureRefused(
      `it is ${width} x ${height} pixels; use one of at least ${MIN_SIDE}, better 600`,
    );
  const { data, info } = await opened
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({ width: SIDES.g, height: SIDES.g, fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width, height, points: { data, width: info.width, height: info.height } };
}

/** A fully transparent picture would show as the backdrop alone, and initials say more. */
function requireSomething({ data }: Points): void {
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) >= MIN_ALPHA) return;
  throw new PictureRefused('it is fully transparent; use a picture with visible content');
}

async function open(bytes: Buffer, kind: SourceKind): Promise<Sharp> {
  if (kind === 'svg') return openSvg(bytes, SIDES.g, OPTIONS);
  return kind === 'ico' ? openIco(bytes, OPTIONS) : sharp(bytes, OPTIONS);
}

async function resizeToSizes(points: Points): Promise<SizedPicture[]> {
  const backdrop = backdropOf(points);
  const files: SizedPicture[] = [];
  for (const size of ['t', 'q', 'd', 'g'] as const) {
    const tile = await tileOf(points, backdrop, SIDES[size]);
    files.push(
      { size, kind: 'png', bytes: await writePng(tile) },
      { size, kind: 'jpg', bytes: await writeJpeg(tile) },
    );
  }
  return files;
}

/** An opaque square of `side` pixels, with the picture centred. */
async function tileOf(
  { data, width, height }: Points,
  { colour, margin }: Backdrop,
  side: number,
): Promise<Sharp> {
  const inner = Math.min(Math.round(side * (1 - 2 * margin)), MAX_ENLARGED * Math.max(width, height));
  const made = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ width: inner, height: inner, fit: 'inside' })
    .flatten({ background: colour })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = made;
  const [left, top] = [Math.floor((side - info.width) / 2), Math.floor((side - info.height) / 2)];
  return sharp(made.data, { raw: { width: info.width, height: info.height, channels: 3 } }).extend({
    left,
    top,
    right: side - info.width - left,
    bottom: side - info.height - top,
    background: colour,
  });
}

/** Eight bits per channel and not interlaced: the decoders of radios support no more. */
async function writePng(tile: Sharp): Promise<Buffer> {
  const whole = await tile.clone().png({ compressionLevel: 9, progressive: false }).toBuffer();
  if (whole.length <= LARGE_PNG) return whole;
  const fewer = await tile
    .clone()
    .png({ palette: true, effort: PALETTE_EFFORT, compressionLevel: 9, progressive: false })
    .toBuffer();
  return fewer.length < whole.length ? fewer : whole;
}

/** Baseline, since many radios cannot read a progressive one. */
const writeJpeg = (tile: Sharp): Promise<Buffer> =>
  tile.clone().jpeg({ quality: 85, progressive: false }).toBuffer();

/** The decoder's own message is cut short: it may quote its input. */
function refusalOf(kind: SourceKind, error: unknown): PictureRefused {
  const words = error instanceof Error ? error.message : String(error);
  if (/pixel limit/i.test(words))
    return new PictureRefused('it has more than 25 million pixels; use one of 600 x 600');
  const [first = ''] = words.replaceAll(/[^\x20-\x7e]+/g, ' ').split('. ', 1);
  return new PictureRefused(
    `the ${kind.toUpperCase()} cannot be decoded (${first.slice(0, 120)}); save it again`,
  );
}

/** Pixels of a picture: red, green, blue and alpha in turn. */
interface Points {
  data: Buffer;
  width: number;
  height: number;
}

interface Backdrop {
  colour: { r: number; g: number; b: number };
  /** Around the picture, as a fraction of the tile's side. */
  margin: number;
}

const WHITE = { r: 255, g: 255, b: 255 };
const NIGHT = { r: 27, g: 31, b: 39 };
const OPAQUE = 250;
/** Edge colours no further apart than this count as one. */
const MAX_EDGE_DIFFERENCE = 24;
/** The margin around a logo that has no background of its own. */
const LOGO_MARGIN = 0.06;
/** A logo this light, of 255, is invisible on white. */
const MIN_LIGHTNESS = 205;

/**
 * The background that makes a picture an opaque square: the colour of its own edge where it has one, else white, or
 * dark for a logo that is made for dark pages.
 */
function backdropOf(points: Points): Backdrop {
  const edge = edgeOf(points);
  const seen = edge.filter(({ a }) => a >= OPAQUE);
  if (seen.length < 0.9 * edge.length)
    return { colour: lightnessOf(points) > MIN_LIGHTNESS ? NIGHT : WHITE, margin: LOGO_MARGIN };
  return {
    colour: meanOf(seen),
    margin: isOneColour(seen) || points.width === points.height ? 0 : LOGO_MARGIN / 2,
  };
}

interface Point {
  r: number;
  g: number;
  b: number;
  a: number;
}

function pointAt({ data, width }: Points, x: number, y: number): Point {
  const at = (y * width + x) * 4;
  return { r: data[at] ?? 0, g: data[at + 1] ?? 0, b: data[at + 2] ?? 0, a: data[at + 3] ?? 0 };
}

function edgeOf(points: Points): Point[] {
  const { width, height } = points;
  const edge: Point[] = [];
  for (let x = 0; x < width; x += 1) edge.push(pointAt(points, x, 0), pointAt(points, x, height - 1));
  for (let y = 0; y < height; y += 1) edge.push(pointAt(points, 0, y), pointAt(points, width - 1, y));
  return edge;
}

function meanOf(edge: readonly Point[]): Backdrop['colour'] {
  const of = (channel: 'r' | 'g' | 'b'): number =>
    Math.round(edge.reduce((sum, point) => sum + point[channel], 0) / edge.length);
  return { r: of('r'), g: of('g'), b: of('b') };
}

function isOneColour(edge: readonly Point[]): boolean {
  const mean = meanOf(edge);
  const isNear = ({ r, g, b }: Point): boolean =>
    Math.max(Math.abs(r - mean.r), Math.abs(g - mean.g), Math.abs(b - mean.b)) <= MAX_EDGE_DIFFERENCE;
  return edge.filter(isNear).length >= 0.95 * edge.length;
}

/** Of the visible pixels, each weighted by its alpha. */
function lightnessOf({ data }: Points): number {
  let [sum, weight] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    sum += alpha * (0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0));
    weight += alpha;
  }
  return weight === 0 ? 0 : sum / weight;
}
