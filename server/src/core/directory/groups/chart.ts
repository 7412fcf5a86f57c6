import { findCountryRegion } from '../lookup/lookups.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { StationFilter } from './compiled-filter.ts';
import { FamiliesShown } from './once-per-family.ts';
import { type PageRequest, StationPage, type StationOrder, stationsInOrder } from './select-stations.ts';

/** How many of the listener's country, and then of its language, come before the rest of the world. */
const PREFERRED = 100;

/**
 * A page of a chart for listeners of a country: the best of the country, then of its language, then of the world. A
 * family is shown once, by its most popular station of the first of these.
 */
export function chartPage(
  snapshot: Snapshot,
  order: StationOrder,
  countryCode: string | undefined,
  request: PageRequest,
): StationPage {
  const all: PageRequest = { ...request, oneLine: 'edition' };
  const shown = new FamiliesShown(snapshot, 'edition');
  const preferred = preferredRanks(snapshot, order, countryCode, all, shown);
  const first = preferred.slice(request.offset, request.offset + request.limit);
  const rest = stationsInOrder(snapshot, order, {
    ...without(all, preferred, shown),
    offset: Math.max(0, request.offset - preferred.length),
    limit: request.limit - first.length,
  });
  return new StationPage(snapshot, [...first, ...rest.ranks], rest.more);
}

/** Leaves out stations and families that are there already. */
function without(request: PageRequest, ranks: readonly number[], shown: FamiliesShown): PageRequest {
  if (ranks.length === 0) return request;
  const { where } = request;
  const there = new Set(ranks);
  return {
    ...request,
    where: (station) =>
      !there.has(station.rank) && !shown.has(station.rank) && (where === undefined || where(station)),
  };
}

function preferredRanks(
  snapshot: Snapshot,
  order: StationOrder,
  countryCode: string | undefined,
  request: PageRequest,
  shown: FamiliesShown,
): readonly number[] {
  const country = countryCode === undefined ? undefined : findCountryRegion(snapshot, countryCode);
  // Who asks for a place or a language has said what they prefer.
  if (!country || request.regionId !== undefined || request.languageId !== undefined) return [];
  const found: number[] = [];
  const addBestOf = (group: Partial<StationFilter>): void => {
    const wanted = { ...without(request, found, shown), ...group, offset: 0, limit: PREFERRED };
    for (const rank of stationsInOrder(snapshot, order, wanted).ranks) {
      shown.add(rank);
      found.push(rank);
    }
  };
  addBestOf({ regionId: country.id });
  const languageId = languageOf(snapshot, country.ranks);
  if (languageId !== undefined) addBestOf({ languageId });
  return found;
}

/** Enough to tell the language of a country. */
const ASKED = 200;

/** What most of the popular stations of a country speak. */
function languageOf({ stations }: Snapshot, ranks: Int32Array): number | undefined {
  const counts = new Map<number, number>();
  for (const rank of ranks.subarray(0, ASKED)) {
    const [id] = stations[rank]!.languageIds;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
