import type { FormatMask } from '../../../lib/stream-format.ts';
import { fits, compileFilter, type StationFilter } from '../groups/compiled-filter.ts';
import { type DirectoryStation, lineageOf, type Snapshot } from '../snapshot/snapshot.ts';

export interface SimilarRequest {
  /** What the caller plays. */
  readonly formats: FormatMask;
  readonly limit: number;
}

/** Per kind of similarity; if this many popular stations do not match, the rest are too obscure to suggest. */
const MAX_SCANNED = 5000;

/**
 * Stations that a listener of this one may like: the same genre in the same language first, then the same genre in the
 * same country, then the same language in the same region, then looser matches; each by popularity.
 */
export function similarRanks(
  snapshot: Snapshot,
  station: DirectoryStation,
  { formats, limit }: SimilarRequest,
): number[] {
  const found = new Set<number>();
  for (const likeness of likenesses(snapshot, station)) {
    const compiled = compileFilter(snapshot, { ...likeness, formats });
    const ranks = compiled?.lists[0]?.subarray(0, MAX_SCANNED) ?? [];
    for (const rank of ranks) {
      if (found.size >= limit) return [...found];
      if (compiled && rank !== station.rank && fits(compiled, rank, 1)) found.add(rank);
    }
  }
  return [...found];
}

type Likeness = Pick<StationFilter, 'genreId' | 'languageId' | 'regionId'>;

/** The closest first. A kind that depends on an unknown value is left out: it would match more than the next one. */
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
