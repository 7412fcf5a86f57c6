import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { SIDES, type SizedPicture } from '../../catalog/pictures.ts';
import { type Backdrop, type Points, backdropOf } from './backdrop.ts';
import { kindOf, type SourceKind } from './kind-of.ts';
import { openIco } from './read-ico.ts';
import { openSvg } from './read-svg.ts';
import { PictureRefused } from './refused.ts';

/** Decoded, a picture of so many points takes 100 MB. */
const MOST_PIXELS = 25_000_000;
/** Anything smaller says less than the item's initials. */
const LEAST_SIDE = 24;
/** Of 255; a point of less cannot be told from its backdrop. */
const LEAST_ALPHA = 8;
/** Larger than that it would be a blur; the rest of the tile stays its backdrop. */
const MOST_ENLARGED = 4;
/** A file that is larger is worth making once more with 256 colours. */
const LARGE_PNG = 24_000;
/** How hard to look for the best 256 colours: at 7 of 10 noise of 600 x 600 takes five seconds and is 1 % smaller than at 3. */
const QUICK = 3;

export interface Pressed {
  width: number;
  height: number;
  files: SizedPicture[];
}

const OPTIONS: SharpOptions = { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true };

/** A picture of whatever kind in the sizes and kinds of file that radios show. Throws `PictureRefused`. */
export async function pressPicture(bytes: Buffer): Promise<Pressed> {
  const kind = kindOf(bytes);
  try {
    const { width, height, points } = await decode(bytes, kind);
    requireSomething(points);
    return { width, height, files: await pressSizes(points) };
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
  if (Math.max(width, height) < LEAST_SIDE)
    throw new PictureRefused(
      `it is ${width} x ${height} pixels; give one of at least ${LEAST_SIDE}, better 600`,
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

/** Of a picture that is transparent all over the backdrop alone would be shown, and initials say more. */
function requireSomething({ data }: Points): void {
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) >= LEAST_ALPHA) return;
  throw new PictureRefused(
    'nothing of it can be seen, it is transparent all over; give one that shows something',
  );
}

async function open(bytes: Buffer, kind: SourceKind): Promise<Sharp> {
  if (kind === 'svg') return openSvg(bytes, SIDES.g, OPTIONS);
  return kind === 'ico' ? openIco(bytes, OPTIONS) : sharp(bytes, OPTIONS);
}

async function pressSizes(points: Points): Promise<SizedPicture[]> {
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

/** A square of so many pixels, opaque, with the picture in its middle. */
async function tileOf(
  { data, width, height }: Points,
  { colour, margin }: Backdrop,
  side: number,
): Promise<Sharp> {
  const inner = Math.min(Math.round(side * (1 - 2 * margin)), MOST_ENLARGED * Math.max(width, height));
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

/** Eight bits a channel and not interlaced: the decoders of radios know no more. */
async function writePng(tile: Sharp): Promise<Buffer> {
  const whole = await tile.clone().png({ compressionLevel: 9, progressive: false }).toBuffer();
  if (whole.length <= LARGE_PNG) return whole;
  const fewer = await tile
    .clone()
    .png({ palette: true, effort: QUICK, compressionLevel: 9, progressive: false })
    .toBuffer();
  return fewer.length < whole.length ? fewer : whole;
}

/** Baseline, since many radios cannot read a progressive one. */
const writeJpeg = (tile: Sharp): Promise<Buffer> =>
  tile.clone().jpeg({ quality: 85, progressive: false }).toBuffer();

/** The decoder's own words are cut short: they may quote what it was given. */
function refusalOf(kind: SourceKind, error: unknown): PictureRefused {
  const words = error instanceof Error ? error.message : String(error);
  if (/pixel limit/i.test(words))
    return new PictureRefused('it has more than 25 million pixels; give one of 600 x 600');
  const [first = ''] = words.replaceAll(/[^\x20-\x7e]+/g, ' ').split('. ', 1);
  return new PictureRefused(
    `the ${kind.toUpperCase()} cannot be decoded (${first.slice(0, 120)}); save it anew`,
  );
}
