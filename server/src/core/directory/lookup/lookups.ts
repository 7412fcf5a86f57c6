import { eachStation, hasStations } from '../groups/select-stations.ts';
import type { StationFilter } from '../groups/compiled-filter.ts';
import {
  type DirectoryAffiliate,
  type DirectoryGenre,
  type DirectoryLanguage,
  type DirectoryRegion,
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../snapshot/snapshot.ts';

// Lookups answered from a snapshot in memory: by id, name, genre, language, network and place.

/**
 * By its own id, or by that of a station that was merged into it. Undefined also for a station that is unlisted or has no
 * stream: radios are never shown those.
 */
export const findStation = (
  { stationById, mergedById }: Pick<Snapshot, 'stationById'> & Partial<Pick<Snapshot, 'mergedById'>>,
  id: number,
): DirectoryStation | undefined => stationById.get(id) ?? mergedById?.get(id);

const stationsByStream = new WeakMap<Snapshot, ReadonlyMap<number, DirectoryStation>>();

/** The station that owns a stream. Rarely used, so the index is built on first use, once per snapshot. */
export function findStationOfStream(snapshot: Snapshot, streamId: number): DirectoryStation | undefined {
  return stationsByStream.getOrInsertComputed(snapshot, indexStreams).get(streamId);
}

const indexStreams = ({ stations }: Snapshot): ReadonlyMap<number, DirectoryStation> =>
  new Map(stations.flatMap((station) => station.streams.map(({ id }) => [id, station] as const)));

/** For names that begin with a digit, a sign, or one of the thousands of Han and Hangul characters. */
const OTHER_INITIAL = '#';

const MARKS = /\p{M}+/gu;
const LETTER = /^\p{L}$/u;
const TOO_MANY = /^[\p{Script=Han}\p{Script=Hangul}]$/u;

/** The letter a name is listed under: `É` is `E`, Cyrillic and Greek have their own. */
export function initialOf(name: string): string {
  const first = name.codePointAt(0) ?? 0;
  if (first < 128) return asciiInitial(first);
  const letter = String.fromCodePoint(first).normalize('NFKD').replace(MARKS, '').toUpperCase();
  const [plain = ''] = letter;
  return LETTER.test(plain) && !TOO_MANY.test(plain) ? plain : OTHER_INITIAL;
}

function asciiInitial(code: number): string {
  const letter = String.fromCharCode(code).toUpperCase();
  return letter >= 'A' && letter <= 'Z' ? letter : OTHER_INITIAL;
}

const initials = new WeakMap<DirectoryStation, string>();

/** The same, computed once per station. */
export function stationInitial(station: DirectoryStation): string {
  let initial = initials.get(station);
  if (initial === undefined) initials.set(station, (initial = initialOf(station.name)));
  return initial;
}

/** The initials of the matching stations' names, in order, `#` last. */
export function listInitials(snapshot: Snapshot, filter: StationFilter): string[] {
  const found = new Set<string>();
  eachStation(snapshot, filter, (station) => found.add(stationInitial(station)));
  const hasOthers = found.delete(OTHER_INITIAL);
  const letters = [...found].toSorted();
  return hasOthers ? [...letters, OTHER_INITIAL] : letters;
}

export const findGenre = (snapshot: Snapshot, id: number): DirectoryGenre | undefined =>
  snapshot.genreById.get(id);

/** The roots of the taxonomy with a matching station. */
export const listTopGenres = (snapshot: Snapshot, filter: StationFilter): DirectoryGenre[] =>
  withStations(snapshot, snapshot.topGenres, filter);

/** The child genres with a matching station; `stationCount` counts all stations, matching or not. */
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

/** The broad genres (one step below the roots) of the matching stations, in the taxonomy's own order. */
export function listBroadGenres(snapshot: Snapshot, filter: StationFilter): DirectoryGenre[] {
  const found = new Set<number>();
  eachStation(snapshot, filter, ({ genreIds }) => {
    for (const id of genreIds) found.add(id);
  });
  const broad = new Set([...found].map((id) => broadGenre(findGenre(snapshot, id))));
  return [...snapshot.genreById.values()].filter((genre) => broad.has(genre));
}

/** A root stands for itself: some stations have Music as their only genre. */
const broadGenre = (genre: DirectoryGenre | undefined): DirectoryGenre | undefined =>
  genre && (lineageOf(genre).at(-2) ?? genre);

/** A genre's id and the ids of all its descendants. */
export const idsUnderGenre = ({ id, children }: DirectoryGenre): number[] => [
  id,
  ...children.flatMap(idsUnderGenre),
];

const withStations = (
  snapshot: Snapshot,
  genres: readonly DirectoryGenre[],
  filter: StationFilter,
): DirectoryGenre[] => genres.filter(({ id }) => hasStations(snapshot, { ...filter, genreId: id }));

export const findLanguage = (snapshot: Snapshot, id: number): DirectoryLanguage | undefined =>
  snapshot.languageById.get(id);

/** The languages with a matching station, by name; `stationCount` counts all stations, matching or not. */
export const listSpokenLanguages = (snapshot: Snapshot, filter: StationFilter): DirectoryLanguage[] =>
  snapshot.languages.filter(({ id }) => hasStations(snapshot, { ...filter, languageId: id }));

export const findAffiliate = (snapshot: Snapshot, id: number): DirectoryAffiliate | undefined =>
  snapshot.affiliateById.get(id);

/** The networks a station belongs to. */
export const affiliatesOfStation = (
  snapshot: Snapshot,
  { affiliateIds }: DirectoryStation,
): DirectoryAffiliate[] =>
  affiliateIds.map((id) => snapshot.affiliateById.get(id)).filter((affiliate) => affiliate !== undefined);

/** Undefined also for a region without stations; only the catalogue has those. */
export const findRegion = (snapshot: Snapshot, id: number): DirectoryRegion | undefined =>
  snapshot.regionById.get(id);

const countries = new WeakMap<Snapshot, ReadonlyMap<string, DirectoryRegion>>();

/** A country by its ISO 3166-1 code, if it has stations. */
export function findCountryRegion(snapshot: Snapshot, countryCode: string): DirectoryRegion | undefined {
  let byCode = countries.get(snapshot);
  if (!byCode) {
    const regions = [...snapshot.regionById.values()].filter(({ kind }) => kind === 'country');
    countries.set(snapshot, (byCode = new Map(regions.map((region) => [region.code, region]))));
  }
  return byCode.get(`country:${countryCode}`);
}

/** The child regions with a matching station, by name; `stationCount` counts all stations, matching or not. */
export const listRegionsOf = (
  snapshot: Snapshot,
  regionId: number,
  filter: StationFilter,
): DirectoryRegion[] =>
  (findRegion(snapshot, regionId)?.children ?? []).filter(({ id }) =>
    hasStations(snapshot, { ...filter, regionId: id }),
  );
