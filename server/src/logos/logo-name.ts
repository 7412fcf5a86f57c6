import type { PictureKind, PictureSize } from '../catalog/pictures.ts';

/** The letter before the extension, which clients put in as they want. */
const SIZES: Readonly<Record<string, PictureSize>> = { t: 't', s: 't', '': 'q', q: 'q', d: 'd', g: 'g' };
const NAME = /^([a-z]\d{1,16})([tsqdg]?)\.(png|jpe?g)$/;

export interface LogoName {
  id: string;
  size: PictureSize;
  kind: PictureKind;
}

/** `/logos/s123q.png` -> s123, q, png. */
export function parseLogoPath(path: string): LogoName | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const [, id, letter = '', extension = ''] = NAME.exec(file) ?? [];
  if (id === undefined) return undefined;
  return { id, size: SIZES[letter] ?? 'q', kind: extension === 'png' ? 'png' : 'jpg' };
}
