import { searchKey } from '../catalog/search-document.ts';
import type { DirectoryGenre, Snapshot } from '../directory/snapshot.ts';
import { searchWords } from '../lib/search-words.ts';
import type { Words } from '../words/words.ts';

type GenresByName = ReadonlyMap<string, DirectoryGenre>;
const known = new WeakMap<Snapshot, Map<string, GenresByName>>();

/** The genre that is called so, in English or in the listener's language. */
export function findGenreNamed(
  snapshot: Snapshot,
  words: readonly string[],
  language: Words,
): DirectoryGenre | undefined {
  let byLanguage = known.get(snapshot);
  if (!byLanguage) known.set(snapshot, (byLanguage = new Map()));
  let byName = byLanguage.get(language.language);
  if (!byName) byLanguage.set(language.language, (byName = genresByName(snapshot, language)));
  return byName.get(searchKey(words));
}

/** Of two with one name the broader is meant, which the directory lists first. */
function genresByName(snapshot: Snapshot, language: Words): GenresByName {
  const byName = new Map<string, DirectoryGenre>();
  for (const genre of snapshot.genreById.values()) {
    for (const name of [genre.name, language.genreName(genre.slug, genre.name)]) {
      const key = searchKey(searchWords(name));
      if (!byName.has(key)) byName.set(key, genre);
    }
  }
  return byName;
}
