import { snapshotName } from '../directory/snapshot-name.ts';
import type { Snapshot } from '../directory/snapshot.ts';
import type { MenuAnswer } from '../http/endpoint.ts';
import type { GuideLetter, ParsedGuideId } from '../lib/guide-id.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { affiliateMenu } from './affiliate-menu.ts';
import { isTopCategory, topCategoryMenu } from './categories.ts';
import { genreMenu, topGenreMenu } from './genre-menu.ts';
import { orNothing } from './nothing.ts';
import { countryMenu, placeMenu } from './place-menu.ts';
import { chartMenu } from './popular-menu.ts';
import { type BrowseRequest, keyOf } from './request.ts';
import { stationMenu } from './station-menu.ts';

/** Menus that depend on their request and on nothing else, and so are made once for all who ask the same. */
type ByClassifier = (request: BrowseRequest) => OpmlDocument;

const worldMenu: ByClassifier = (request) => placeMenu(request, 0);

export const PURE_BY_CLASSIFIER: ReadonlyMap<string, ByClassifier> = new Map<string, ByClassifier>([
  ['music', (request) => topGenreMenu(request, 'music')],
  ['talk', (request) => topGenreMenu(request, 'talk')],
  ['sports', (request) => topGenreMenu(request, 'sports')],
  ['world', worldMenu],
  ['r0', worldMenu],
  ['popular', (request) => chartMenu(request, 'popular')],
  ['trending', (request) => chartMenu(request, 'trending')],
  ['best', (request) => chartMenu(request, 'best')],
]);

interface ById {
  exists: (snapshot: Snapshot, id: number) => boolean;
  make: (request: BrowseRequest, id: number) => OpmlDocument;
}

const PURE_BY_LETTER: Partial<Record<GuideLetter, ById>> = {
  r: { exists: (snapshot, id) => id === 0 || snapshot.regionById.has(id), make: placeMenu },
  g: { exists: (snapshot, id) => snapshot.genreById.has(id), make: genreMenu },
  c: { exists: isTopCategory, make: topCategoryMenu },
  n: { exists: (snapshot, id) => snapshot.countryById.has(id), make: countryMenu },
  s: { exists: (snapshot, id) => snapshot.stationById.has(id), make: stationMenu },
  a: { exists: (snapshot, id) => snapshot.affiliateById.has(id), make: affiliateMenu },
  // Nothing is known of artists and songs; the menu says so.
  m: { exists: () => true, make: (request) => ({ outlines: orNothing(request, []) }) },
};

export const isBrowsable = (letter: GuideLetter): boolean => letter in PURE_BY_LETTER || letter === 'p';

/** Undefined when there is nothing of that id. */
export function pureMenuOf(
  request: BrowseRequest,
  { letter, number }: ParsedGuideId,
): MenuAnswer | undefined {
  const menu = PURE_BY_LETTER[letter];
  if (!menu?.exists(request.snapshot, number)) return undefined;
  return keptMenu(`${letter}${number}`, request, (asked) => menu.make(asked, number));
}

/** A menu that may be kept, by all that it depends on. */
export function keptMenu(name: string, request: BrowseRequest, make: ByClassifier): MenuAnswer {
  const menu = `${name} ${snapshotName(request.snapshot)} ${keyOf(request)}`;
  return { menu, document: () => make(request) };
}
