import type { Action, Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { drawMark } from './mark.ts';
import { writePng } from './png.ts';
import { TINTS, tintOf } from './tints.ts';

/** Pixels by the letter before the extension; clients put in the letter they want. */
const SIZES: Readonly<Record<string, number>> = { t: 75, s: 75, '': 145, q: 145, d: 300, g: 600 };
const FILE = /^([a-z]\d{1,16})([tsqdg]?)\.(?:png|jpe?g)$/;
const DAY_SECONDS = 86_400;

/**
 * The square logo of every item, drawn here: the mark of the service, tinted by the item's id. A `.jpg` is the same PNG,
 * which the type says and every decoder sees by itself.
 */
export function logos(): Endpoint {
  const drawn = new Map<string, Promise<Buffer>>();
  const draw = (size: number, tint: number): Promise<Buffer> => {
    const key = `${size} ${tint}`;
    let picture = drawn.get(key);
    // Four sizes of twelve tints, so that it stays at one megabyte without being looked after.
    if (!picture) drawn.set(key, (picture = writePng(size, drawMark(size, TINTS[tint]!))));
    return picture;
  };
  const logo: Action = async ({ askedPath }) => {
    const { id, size } = parseLogoPath(askedPath) ?? notALogo();
    return { bytes: await draw(size, tintOf(id)), contentType: 'image/png', maxAgeSeconds: DAY_SECONDS };
  };
  return { paths: ['/logos/:file'], actions: new Map([['', logo]]), fallback: () => logo };
}

export function parseLogoPath(path: string): { id: string; size: number } | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const [, id, letter = ''] = FILE.exec(file) ?? [];
  return id === undefined ? undefined : { id, size: SIZES[letter] ?? 145 };
}

function notALogo(): never {
  throw new Fault(
    404,
    'api.methodNotFound',
    'No such picture: ask for an id, a size and .png, such as s123q.png',
  );
}
