import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { type ParsedGuideId, parseGuideId } from '../../lib/guide-id.ts';
import { searchWords } from '../../lib/search-words.ts';
import { searchKey } from '../../storage/catalog/search/search-document.ts';
import { type Aliases, findByOwnOrAlias } from '../directory/lookup/by-any-id.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import { keyOfAddress } from '../cleaning/clean-address.ts';
import type { DirectoryGenre, Snapshot } from '../directory/snapshot/snapshot.ts';
import type { Words } from '../i18n/words.ts';
import type { Hit } from './find.ts';
import type { Finder, SearchResults } from './finder.ts';

/** Higher than any score by words. */
const SURE = 1_000_000;
const NOTHING: SearchResults = { stations: [], shows: [] };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The item that a guide ID typed as a query names, ours or from another directory. */
export async function itemOfId(
  text: string,
  snapshot: Snapshot,
  finder: Finder,
  aliases: Pick<Aliases, 'find'>,
): Promise<SearchResults> {
  const id = text.toLowerCase();
  const isId = UUID.test(id) || parseGuideId(id) !== undefined;
  const found = isId && (await findByOwnOrAlias(id, aliases, (known) => itemOf(known, snapshot, finder)));
  return found || NOTHING;
}

async function itemOf(
  { letter, number }: ParsedGuideId,
  snapshot: Snapshot,
  finder: Finder,
): Promise<SearchResults | undefined> {
  const station = letter === 's' ? findStation(snapshot, number) : undefined;
  if (station) return { ...NOTHING, stations: sure([station.id]) };
  const show = letter === 'p' ? await finder.showOfId(number) : undefined;
  return show && { ...NOTHING, shows: [{ show, score: SURE }] };
}

/** The stations with a stream at this address. */
export async function stationsAt(address: string, finder: Finder): Promise<SearchResults> {
  const key = keyOfAddress(address);
  return { ...NOTHING, stations: key === undefined ? [] : sure(await finder.stationsAt(key)) };
}

const sure = (ids: readonly number[]): Hit[] => ids.map((id) => ({ id, score: SURE }));

type GenresByName = ReadonlyMap<string, DirectoryGenre>;
const known = new WeakMap<Snapshot, Map<string, GenresByName>>();

/** The genre with this name, in English or in the listener's language. */
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

/** If two share a name, the broader is meant, which is listed first. Whole names take precedence over parts. */
function genresByName(snapshot: Snapshot, language: Words): GenresByName {
  const byName = new Map<string, DirectoryGenre>();
  const parts: [key: string, genre: DirectoryGenre][] = [];
  for (const genre of snapshot.genreById.values()) {
    const names = [genre.name, language.genreName(genre.slug, genre.name)].map((name) => keyOf(name));
    for (const key of names) if (!byName.has(key)) byName.set(key, genre);
    for (const tag of TAGS_OF.get(genre.slug) ?? [])
      if (names.some((name) => name.includes(tag))) parts.push([tag, genre]);
  }
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
