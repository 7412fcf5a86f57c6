import {
  type PageRequest,
  type StationPage,
  eachStation,
  hasStations,
  selectStations,
} from './select-stations.ts';
import type { StationFilter } from './sieve.ts';
import type { DirectoryGenre, Snapshot } from './snapshot.ts';
import { lineageOf } from './tree.ts';

export const findGenre = (snapshot: Snapshot, id: number): DirectoryGenre | undefined =>
  snapshot.genreById.get(id);

/** The stations of a genre and of the genres under it, the most popular first. */
export const stationsOfGenre = (snapshot: Snapshot, genreId: number, request: PageRequest): StationPage =>
  selectStations(snapshot, { ...request, genreId });

/** The roots of the taxonomy that have a station that fits. */
export const listTopGenres = (snapshot: Snapshot, filter: StationFilter): DirectoryGenre[] =>
  withStations(snapshot, snapshot.topGenres, filter);

/** The genres one step below that have a station that fits; `stationCount` counts all, whether they fit or not. */
export const listGenresOf = (snapshot: Snapshot, genreId: number, filter: StationFilter): DirectoryGenre[] =>
  withStations(snapshot, findGenre(snapshot, genreId)?.children ?? [], filter);

/** The other genres under the same parent. */
export function listRelatedGenres(
  snapshot: Snapshot,
  genreId: number,
  filter: StationFilter,
): DirectoryGenre[] {
  const siblings = findGenre(snapshot, genreId)?.parent?.children ?? [];
  return withStations(
    snapshot,
    siblings.filter(({ id }) => id !== genreId),
    filter,
  );
}

/** The broad genres, one step below the roots, of which a list has stations; in the taxonomy's own order. */
export function listBroadGenres(snapshot: Snapshot, filter: StationFilter): DirectoryGenre[] {
  const found = new Set<number>();
  eachStation(snapshot, filter, ({ genreIds }) => {
    for (const id of genreIds) found.add(id);
  });
  const broad = new Set([...found].map((id) => broadGenre(findGenre(snapshot, id))));
  return [...snapshot.genreById.values()].filter((genre) => broad.has(genre));
}

/** A root stands for itself: some stations are of Music and nothing finer. */
const broadGenre = (genre: DirectoryGenre | undefined): DirectoryGenre | undefined =>
  genre && (lineageOf(genre).at(-2) ?? genre);

/** A genre's id and those of all under it. */
export const idsUnderGenre = ({ id, children }: DirectoryGenre): number[] => [
  id,
  ...children.flatMap(idsUnderGenre),
];

const withStations = (
  snapshot: Snapshot,
  genres: readonly DirectoryGenre[],
  filter: StationFilter,
): DirectoryGenre[] => genres.filter(({ id }) => hasStations(snapshot, { ...filter, genreId: id }));
