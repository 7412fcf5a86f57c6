import { plainLetters } from '../../items/plain-letters.ts';
import type { Points } from './points.ts';
import { type Size, type View, isInView } from './view/view.ts';

/** The numbers of the stations in a view, the most popular first. */
export function stationsInView({ count, x, y }: Points, view: View, size: Size): Int32Array {
  const found = new Int32Array(count);
  let length = 0;
  for (let at = 0; at < count; at++) if (isInView(view, size, x[at]!, y[at]!)) found[length++] = at;
  return found.slice(0, length);
}

/** The stations whose name has every word that was typed, in any order. */
export function stationsNamed(
  stations: Int32Array,
  foldedNames: readonly string[],
  text: string,
): Int32Array {
  const words = plainLetters(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return stations;
  return stations.filter((at) => words.every((word) => foldedNames[at]?.includes(word)));
}

export interface Page {
  /** From 0. */
  number: number;
  /** Index of the first shown, from 0. */
  from: number;
  stations: Int32Array;
  hasBefore: boolean;
  hasAfter: boolean;
}

export const PAGE_LENGTH = 20;

/** A page of a list, clamped to its end. */
export function pageOf(stations: Int32Array, page: number): Page {
  const last = Math.max(0, Math.ceil(stations.length / PAGE_LENGTH) - 1);
  const number = Math.min(Math.max(0, page), last);
  const from = number * PAGE_LENGTH;
  const shown = stations.subarray(from, from + PAGE_LENGTH);
  return {
    number,
    from,
    stations: shown,
    hasBefore: from > 0,
    hasAfter: from + shown.length < stations.length,
  };
}
