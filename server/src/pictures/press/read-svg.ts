import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { PictureRefused } from './refused.ts';

/** What SVG's own units are drawn at. */
const DENSITY = 72;
const MOST_DENSITY = 7200;

/** The drawing as a picture whose longer side is at least so many pixels. It may hold shapes, and nothing from elsewhere. */
export async function openSvg(bytes: Buffer, side: number, options: SharpOptions): Promise<Sharp> {
  requireSelfContained(bytes);
  const { width, height } = await sharp(bytes, options).metadata();
  const density = Math.max(1, Math.min(MOST_DENSITY, (DENSITY * side) / Math.max(width, height)));
  return sharp(bytes, { ...options, density });
}

/** The renderer fetches nothing by itself; a drawing that wants it to would come out with holes, and may mean harm. */
function requireSelfContained(bytes: Buffer): void {
  const text = decode(bytes);
  if (/<!ENTITY/i.test(text)) throw new PictureRefused('the SVG defines entities; save it without them');
  const drawn = text
    .replaceAll(/<a\s[^>]*>/gi, '')
    .replaceAll(/\sxmlns(?::\w+)?\s*=\s*(?:"[^"]*"|'[^']*')/gi, '');
  if (/\bhref\s*=\s*["']?\s*data:/i.test(drawn))
    throw new PictureRefused('the SVG only wraps another picture; give that picture instead');
  if (
    /\bhref\s*=\s*["']?\s*[^"'\s#]/i.test(drawn) ||
    /url\(\s*["']?\s*[^"'\s#)]/i.test(drawn) ||
    /@import|<\?xml-stylesheet/i.test(drawn)
  )
    throw new PictureRefused('the SVG refers to something outside of it; save it with everything inside');
}

/** Another encoding would hide from this reader what the renderer sees. */
function decode(bytes: Buffer): string {
  const [, encoding = 'utf-8'] =
    /^[^>]{0,200}\bencoding\s*=\s*["']([^"']*)/i.exec(bytes.toString('latin1', 0, 300)) ?? [];
  if (!/^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding) || bytes.includes(0))
    throw new PictureRefused('the SVG is not in UTF-8; save it so');
  return bytes.toString('utf8');
}
