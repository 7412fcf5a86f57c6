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
/** Every signature lies within these bytes; there is no point in searching a web page to its end. */
const HEAD_BYTES = 4096;

/** The format, by the bytes. The content type and the file extension are wrong too often to be trusted. */
export function kindOf(bytes: Buffer): SourceKind {
  if (bytes.length === 0) throw new PictureRefused('it is empty');
  const start = bytes.toString('latin1', 0, HEAD_BYTES);
  const kind = STARTS.find(([, mark, at]) => start.startsWith(mark, at))?.[0];
  return kind ?? kindOfText(start);
}

function kindOfText(start: string): 'svg' {
  if (/<svg[\s>]/i.test(start) && !/<html[\s>]/i.test(start)) return 'svg';
  if (/^[^<]{0,3}\s*<(?:!doctype html|html|head|body|script)\b/i.test(start))
    throw new PictureRefused('it is an HTML page; use the address of the picture itself');
  throw new PictureRefused(
    'it is not a PNG, JPEG, GIF, WebP, AVIF, SVG or ICO; save the picture as one of these',
  );
}

/** A picture that is not accepted, with a reason a person can understand. */
export class PictureRefused extends Error {
  override name = 'PictureRefused';
}
