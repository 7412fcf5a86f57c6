import { PictureRefused } from './refused.ts';

export type SourceKind = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'svg' | 'ico';

const STARTS: readonly [SourceKind, string, at: number][] = [
  ['png', '\x89PNG\r\n\x1A\n', 0],
  ['jpeg', '\xFF\xD8\xFF', 0],
  ['gif', 'GIF87a', 0],
  ['gif', 'GIF89a', 0],
  ['webp', 'WEBP', 8],
  ['avif', 'ftypavif', 4],
  ['avif', 'ftypavis', 4],
  ['ico', '\0\0\x01\0', 0],
];
/** Nothing of a picture begins later than this, and nobody's page is searched to its end. */
const LOOKED_AT = 4096;

/** What the bytes are. A server's word for it, and the end of the address, are wrong too often to be asked. */
export function kindOf(bytes: Buffer): SourceKind {
  if (bytes.length === 0) throw new PictureRefused('it is empty');
  const start = bytes.toString('latin1', 0, LOOKED_AT);
  const kind = STARTS.find(([, mark, at]) => start.startsWith(mark, at))?.[0];
  return kind ?? kindOfText(start);
}

function kindOfText(start: string): 'svg' {
  if (/<svg[\s>]/i.test(start) && !/<html[\s>]/i.test(start)) return 'svg';
  if (/^[^<]{0,3}\s*<(?:!doctype html|html|head|body|script)\b/i.test(start))
    throw new PictureRefused('it is a page of HTML; give the address of the picture itself');
  throw new PictureRefused(
    'it is no PNG, JPEG, GIF, WebP, AVIF, SVG or ICO; save the picture as one of these',
  );
}
