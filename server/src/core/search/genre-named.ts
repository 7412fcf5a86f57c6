import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { searchWords } from '../../lib/search-words.ts';
import { searchKey } from '../../storage/catalog/search/search-document.ts';
import { selectStations } from '../directory/groups/select-stations.ts';
import { findCountryRegion, idsUnderGenre } from '../directory/lookup/lookups.ts';
import type { DirectoryGenre, Snapshot } from '../directory/snapshot/snapshot.ts';
import { TRANSLATIONS } from '../i18n/translations.ts';
import type { Words } from '../i18n/words.ts';
import type { FormatMask } from '../../lib/stream-format.ts';
import type { Hit } from './find.ts';
import spoken from './genre-words.json' with { type: 'json' };
import { IN_NAME } from './queries.ts';

const POPULAR = 7;
/** How many popular stations of a genre a search for its name adds. */
const MAX_ADDED = 25;
/** A station of many genres plays none of them for long. */
const FEW_GENRES = 3;

/** The most popular stations of a country that play mainly what a query names: what "country" means in America. */
export function stationsOfGenre(
  snapshot: Snapshot,
  genre: DirectoryGenre,
  countryCode: string | undefined,
  formats: FormatMask,
): Hit[] {
  const country = countryCode === undefined ? undefined : findCountryRegion(snapshot, countryCode);
  if (!country) return [];
  const ids = new Set(idsUnderGenre(genre));
  const { stations } = selectStations(snapshot, {
    formats,
    genreId: genre.id,
    regionId: country.id,
    where: ({ genreId = 0, genreIds }) => ids.has(genreId) && genreIds.length <= FEW_GENRES,
    offset: 0,
    limit: MAX_ADDED,
  });
  // Behind stations of the country that have the word in their names.
  return stations.map(({ id, popularity }) => ({ id, score: IN_NAME + POPULAR * Math.log(1 + popularity) }));
}

type GenresByName = ReadonlyMap<string, DirectoryGenre>;
const known = new WeakMap<Snapshot, Map<string, GenresByName>>();

/** The genre with this name: in English, in the listener's language, or in any other that we know. */
export function findGenreNamed(
  snapshot: Snapshot,
  words: readonly string[],
  language: Words,
): DirectoryGenre | undefined {
  return known
    .getOrInsertComputed(snapshot, () => new Map<string, GenresByName>())
    .getOrInsertComputed(language.language, () => genresByName(snapshot, language))
    .get(searchKey(words));
}

/**
 * If two share a name, the broader is meant, which is listed first. Whole names take precedence over parts, and the
 * listener's language over others.
 */
function genresByName(snapshot: Snapshot, language: Words): GenresByName {
  const byName = new Map<string, DirectoryGenre>();
  const parts: [key: string, genre: DirectoryGenre][] = [];
  for (const genre of snapshot.genreById.values()) {
    const names = [genre.name, language.genreName(genre.slug, genre.name)].map((name) => keyOf(name));
    for (const key of names) if (!byName.has(key)) byName.set(key, genre);
    for (const tag of TAGS_OF.get(genre.slug) ?? [])
      if (names.some((name) => name.includes(tag))) parts.push([tag, genre]);
  }
  for (const genre of snapshot.genreById.values())
    for (const key of SPOKEN.get(genre.slug) ?? []) parts.push([key, genre]);
  for (const [key, genre] of parts) if (!byName.has(key)) byName.set(key, genre);
  return byName;
}

const keyOf = (text: string): string => searchKey(searchWords(text));

/**
 * The tags that map to exactly one genre. A tag contained in the genre's name is what people call it: 80s for 1980s,
 * R&B for R&B & Urban Contemporary. Others only map there, as "bbc" to Public Radio, and are searched as names of
 * stations.
 */
const TAGS_OF = new Map<string, string[]>();
for (const [tag, [slug = '', ...more]] of Object.entries(taxonomy.tagMap)) {
  if (more.length > 0) continue;
  const key = keyOf(tag);
  if (key.length > 1) TAGS_OF.set(slug, [...(TAGS_OF.get(slug) ?? []), key]);
}

/** By slug: what a genre is called in all languages that we know, and what people type for it. */
const SPOKEN = new Map<string, Set<string>>();
for (const names of [...TRANSLATIONS.values()].map(({ genres }) => genres))
  for (const [slug, name] of Object.entries(names)) addSpoken(slug, name);
for (const [slug, names] of Object.entries(spoken)) for (const name of names) addSpoken(slug, name);

function addSpoken(slug: string, name: string): void {
  SPOKEN.getOrInsertComputed(slug, () => new Set()).add(keyOf(name));
}
