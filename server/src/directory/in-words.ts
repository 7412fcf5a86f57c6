import { DEFAULT_LANGUAGE, type Words } from '../words/words.ts';
import { placeName } from './place-name.ts';
import type { DirectoryRegion, DirectoryStation, Snapshot } from './snapshot.ts';

/** A station as told in a language: its genre, its language and its country by their names there. */
export function stationIn(snapshot: Snapshot, station: DirectoryStation, words: Words): DirectoryStation {
  if (words.language === DEFAULT_LANGUAGE) return station;
  const genre = snapshot.genreById.get(station.genreId ?? Number.NaN);
  const language = snapshot.languageById.get(station.languageIds[0] ?? Number.NaN);
  const region = snapshot.regionById.get(station.regionId ?? Number.NaN);
  return {
    ...station,
    genreName: genre && words.genreName(genre.slug, genre.name),
    languageName: language && words.languageName(language.code, language.name),
    placeName: region && placeNameIn(region, words),
  };
}

/** All stations of a snapshot, by rank, as told in a language. */
export interface ToldStations {
  readonly owner: Snapshot;
  readonly language: string;
  readonly count: number;
  readonly factsOf: (rank: number) => DirectoryStation;
}

export const stationsIn = (snapshot: Snapshot, words: Words): ToldStations => ({
  owner: snapshot,
  language: words.language,
  count: snapshot.stations.length,
  factsOf: (rank) => stationIn(snapshot, snapshot.stations[rank]!, words),
});

/** `Lyon, Frankreich`. */
export const placeNameIn = (region: DirectoryRegion, words: Words): string | undefined =>
  words.language === DEFAULT_LANGUAGE
    ? placeName(region)
    : placeName(region, ({ code, name }) => words.regionName(code, name));
