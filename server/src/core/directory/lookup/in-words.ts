import { DEFAULT_LANGUAGE, type Words } from '../../i18n/words.ts';
import {
  type DirectoryRegion,
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../snapshot/snapshot.ts';

/** A station in a language: its genre, language and country translated. */
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

/** All stations of a snapshot, by rank, in a language. */
interface LocalizedStations {
  readonly owner: Snapshot;
  readonly language: string;
  readonly count: number;
  readonly factsOf: (rank: number) => DirectoryStation;
}

export const stationsIn = (snapshot: Snapshot, words: Words): LocalizedStations => ({
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

/** Countries whose towns are named with their state instead of their country. */
const NAMED_BY_STATE = new Set(['country:US', 'country:CA', 'country:AU']);

type Place = Pick<DirectoryRegion, 'kind' | 'name' | 'code'> & { readonly parent: Place | undefined };

/**
 * `Lyon, France`, `Austin, Texas`, `Bavaria, Germany`, `Germany`; undefined for the whole world. `nameOf` gives the
 * names of places in another language.
 */
export function placeName(place: Place, nameOf = ownName): string | undefined {
  if (place.kind === 'root') return undefined;
  const wider = widerPlace(place);
  const name = nameOf(place);
  const widerName = wider ? nameOf(wider) : name;
  // Joined, not concatenated: V8 stores a concatenation as a tree of its parts, which doubles the cost of writing it.
  return widerName === name ? name : [name, widerName].join(', ');
}

const ownName = ({ name }: Pick<Place, 'name' | 'code'>): string => name;

function widerPlace(place: Place): Place | undefined {
  const wider = lineageOf(place).slice(1);
  const country = wider.find(({ kind }) => kind === 'country');
  if (place.kind !== 'city' || !country || !NAMED_BY_STATE.has(country.code)) return country;
  return wider.find(({ kind }) => kind === 'state') ?? country;
}
