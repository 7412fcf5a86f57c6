import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp, { type Sharp } from 'sharp';
import { type PictureKind, type PictureSize, SIDES } from '../catalog/pictures.ts';
import { drawMark } from './mark.ts';
import { drawInitials } from './placeholder.ts';
import { TINTS, tintOf } from './tints.ts';

/** A picture that can be sent. */
export interface LogoFile {
  bytes: Buffer;
  etag: string;
}

/** Of what was drawn lately. */
const MOST_BYTES = 8 * 2 ** 20;
const DENSITY = 72;

/** The same picture is drawn once for all who ask for it, at the moment and until others push it out. */
const drawn = new LRUCache<string, Promise<LogoFile>>({
  max: 5000,
  maxSize: MOST_BYTES,
  maxEntrySize: MOST_BYTES,
});

/** What stands in for a picture: the initials on the item's tint, or the mark of the service where there are none. */
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
  // Until it is known what it takes: a byte for each point, which is more than that.
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
