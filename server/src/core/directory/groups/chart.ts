import { findCountryRegion } from '../lookup/lookups.ts';
import type { DirectoryStation, Snapshot } from '../snapshot/snapshot.ts';
import type { StationFilter } from './compiled-filter.ts';
import { type PageRequest, StationPage, type StationOrder, stationsInOrder } from './select-stations.ts';

/** How many of the listener's country, and then of its language, come before the rest of the world. */
const PREFERRED = 100;

/**
 * A page of a chart for listeners of a country: the best of the country, then of its language, then of the world. A
 * family is shown by its most popular station.
 */
export function chartPage(
  snapshot: Snapshot,
  order: StationOrder,
  countryCode: string | undefined,
  request: PageRequest,
): StationPage {
  const { familyOf } = snapshot.families;
  const { where } = request;
  const isShown = (station: DirectoryStation): boolean =>
    familyOf[station.rank] === station.rank && (where === undefined || where(station));
  const preferred = preferredRanks(snapshot, order, countryCode, { ...request, where: isShown });
  const first = [...preferred].slice(request.offset, request.offset + request.limit);
  const rest = stationsInOrder(snapshot, order, {
    ...request,
    where: (station) => !preferred.has(station.rank) && isShown(station),
    offset: Math.max(0, request.offset - preferred.size),
    limit: request.limit - first.length,
  });
  return new StationPage(snapshot, [...first, ...rest.ranks], rest.more);
}

function preferredRanks(
  snapshot: Snapshot,
  order: StationOrder,
  countryCode: string | undefined,
  filter: StationFilter,
): Set<number> {
  const country = countryCode === undefined ? undefined : findCountryRegion(snapshot, countryCode);
  // Who asks for a place or a language has said what they prefer.
  if (!country || filter.regionId !== undefined || filter.languageId !== undefined) return new Set();
  const bestOf = (group: Partial<StationFilter>): readonly number[] =>
    stationsInOrder(snapshot, order, { ...filter, ...group, offset: 0, limit: PREFERRED }).ranks;
  const languageId = languageOf(snapshot, country.ranks);
  const ofCountry = bestOf({ regionId: country.id });
  return new Set([...ofCountry, ...(languageId === undefined ? [] : bestOf({ languageId }))]);
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
