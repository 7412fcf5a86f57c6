import type { StationDraft } from './station-draft.ts';

/** A million more than the world has. */
export const MOST_STATIONS = 2 ** 21;
const MOST_POPULAR = 2 ** 31 - 1;

/**
 * Drafts in order of id -> the most popular first, then the older id. Popularity and place are packed into one number
 * each, because typed numbers sort without a comparison function: 100,000 in 8 ms instead of 60, and nothing is served
 * meanwhile. 31 bits and 21 fit the 53 that a number holds exactly.
 */
export function rankStations(drafts: readonly StationDraft[]): StationDraft[] {
  const keys = new Float64Array(drafts.length);
  for (let place = 0; place < drafts.length; place++) {
    keys[place] = (MOST_POPULAR - drafts[place]!.station.popularity) * MOST_STATIONS + place;
  }
  keys.sort();
  return Array.from(keys, (key, rank) => {
    const draft = drafts[key % MOST_STATIONS]!;
    draft.station.rank = rank;
    return draft;
  });
}
