import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CallerPlaces } from '../../../core/places/caller-places.ts';
import { cellAround } from '../../../core/places/map-cell.ts';
import type { Answer, Call } from '../call/endpoint.ts';
import { suffixOf } from '../../../formats/opml/links.ts';
import { classOf, writeClass } from './caller-class.ts';

/**
 * With which an edge shows that it is ours: on a call that it passes on, and where it asks for a template. They differ, so
 * that no call that is passed on can ask for a template, whatever its address.
 */
const PASSED_ON = 'x-longwave-edge';
const FOR_TEMPLATE = 'x-longwave-template';

/** How long an edge may go by what it was told of a caller: presets saved elsewhere show in its lists after that. */
const CALLER_SECONDS = 30;

/** Every suffix of `suffixOf`; an edge need not escape more than `&`. */
const SPLICEABLE = /^[\w&=%.~!*(),:{}-]*$/;

/** Who may be told of callers, and who may have templates. */
export interface EdgeKey {
  isOnCall: (headers: IncomingHttpHeaders) => boolean;
  isForTemplate: (headers: IncomingHttpHeaders) => boolean;
}

/** Compares hashes, whose length and time tell nothing of the key. */
export function edgeKey(key: string): EdgeKey {
  const expected = digest(key);
  const isIn = (name: string) => (headers: IncomingHttpHeaders) => {
    const given = headers[name];
    return typeof given === 'string' && timingSafeEqual(digest(given), expected);
  };
  return { isOnCall: isIn(PASSED_ON), isForTemplate: isIn(FOR_TEMPLATE) };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * What an edge is told with the answer to a caller: for how long, what goes into the caller's links, and the class
 * whose menus it may get from now on. Nothing for callers who have saved items, which are marked in their lists, and
 * for those whose calls hold secrets.
 */
export const tellEdge =
  ({ isOnCall }: EdgeKey, places: Pick<CallerPlaces, 'of'>) =>
  (call: Call, answer: Answer): string | undefined => {
    if (!('menu' in answer) || answer.saved !== undefined || call.method !== 'GET') return undefined;
    if (!isOnCall(call.headers)) return undefined;
    const { caller, params } = call;
    // Where an account lives may have to be looked up first.
    if (params.has('password') || params.has('callback') || caller.username !== undefined) return undefined;
    const place = places.of(caller);
    if (place instanceof Promise) return undefined;
    const suffix = suffixOf(caller.globals);
    if (!SPLICEABLE.test(suffix)) return undefined;
    const cell = place?.coordinate && cellAround(place.coordinate);
    return `${CALLER_SECONDS} ${suffix || '-'} ${writeClass(classOf(caller, cell))}`;
  };
