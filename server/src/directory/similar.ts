import type { FormatMask } from '../lib/stream-format.ts';
import { type StationFilter, fits, makeSieve } from './sieve.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';
import { lineageOf } from './tree.ts';

export interface SimilarRequest {
  /** What the caller plays. */
  readonly formats: FormatMask;
  readonly limit: number;
}

/** Of each kind of likeness; where so many popular ones do not fit, those that do are nobody's favourites. */
const MOST_LOOKED_AT = 5000;

/**
 * What a listener of a station may like too: the same genre in the same language first, then the same genre in the
 * same country, then its neighbours on the dial, then what is further off; each by popularity.
 */
export function similarRanks(
  snapshot: Snapshot,
  station: DirectoryStation,
  { formats, limit }: SimilarRequest,
): number[] {
  const found = new Set<number>();
  for (const likeness of likenesses(snapshot, station)) {
    const sieve = makeSieve(snapshot, { ...likeness, formats });
    const ranks = sieve?.lists[0]?.subarray(0, MOST_LOOKED_AT) ?? [];
    for (const rank of ranks) {
      if (found.size >= limit) return [...found];
      if (sieve && rank !== station.rank && fits(sieve, rank, 1)) found.add(rank);
    }
  }
  return [...found];
}

type Likeness = Pick<StationFilter, 'genreId' | 'languageId' | 'regionId'>;

/** The closest first. One that rests on something unknown is left out: it would be wider than the next. */
function likenesses(snapshot: Snapshot, station: DirectoryStation): Likeness[] {
  const { genreId, languageIds, regionId } = station;
  const [languageId] = languageIds;
  const countryId = countryOf(snapshot, regionId);
  const widerGenreId = snapshot.genreById.get(genreId ?? Number.NaN)?.parent?.id;
  const all: Likeness[] = [
    { genreId, languageId },
    { genreId, regionId: countryId },
    { languageId, regionId },
    { genreId: widerGenreId, languageId },
    { genreId },
    { languageId, regionId: countryId },
    { languageId },
    { regionId: countryId },
  ];
  return all.filter((likeness) => Object.values(likeness).every((id) => id !== undefined));
}

function countryOf(snapshot: Snapshot, regionId = Number.NaN): number | undefined {
  const region = snapshot.regionById.get(regionId);
  return region && lineageOf(region).find(({ kind }) => kind === 'country')?.id;
}
