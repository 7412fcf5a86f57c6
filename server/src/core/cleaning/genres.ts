import { foldText } from '../../lib/search-words.ts';
import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { MAX_NAME_LENGTH } from './clean-name.ts';

interface StationGenres {
  slugs: string[];
  /** True when the name alone suggested them. */
  inferred: boolean;
}

/** A station that claims more claims none in particular; the first ones are kept. */
export const MAX_GENRES = 8;

const ROOTS = new Set(taxonomy.genres.flatMap(({ slug, parent }) => (parent === null ? [slug] : [])));
const PARENTS = new Map(taxonomy.genres.map(({ slug, parent }) => [slug, parent]));
const ANCESTORS = new Map(taxonomy.genres.map(({ slug }) => [slug, ancestorsOf(slug)]));

/**
 * Genre slugs from a station's tags; from its name only when no tag gave any. Ancestors of a genre that was found are
 * left out: "classic-rock" implies "rock".
 */
export function genresOf(tags: readonly string[], name: string): StationGenres {
  const fromTags = mostSpecific(tags.flatMap(genresOfTag));
  if (fromTags.length > 0) return { slugs: fromTags, inferred: false };
  const fromName = mostSpecific(genresOfName(name));
  return { slugs: fromName, inferred: fromName.length > 0 };
}

/** Without duplicates and ancestors; a root ("music") stays only when there is nothing else. */
function mostSpecific(slugs: readonly string[]): string[] {
  if (slugs.length < 2) return [...slugs];
  const said = new Set(slugs);
  const implied = new Set<string>();
  for (const slug of said) for (const ancestor of ANCESTORS.get(slug) ?? []) implied.add(ancestor);
  const specific = [...said].filter((slug) => !implied.has(slug));
  const belowRoots = specific.filter((slug) => !ROOTS.has(slug));
  return (belowRoots.length > 0 ? belowRoots : specific).slice(0, MAX_GENRES);
}

function ancestorsOf(slug: string): string[] {
  const parent = PARENTS.get(slug);
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

/** Words and phrases, each with the indexes of its genres in the taxonomy. */
const PHRASES = new Map<string, number[]>();
/** Prefixes of words, where the taxonomy has `*`. */
const BEGINNINGS: [beginning: string, index: number][] = [];
const FIRST_WORDS = new Set<string>();
const BETWEEN_WORDS = /([^\p{L}\p{N}_]+)/u;
let longestPhrase = 1;

for (const [index, { nameWords }] of taxonomy.genres.entries()) {
  for (const phrase of nameWords) {
    if (phrase.endsWith('*')) BEGINNINGS.push([phrase.slice(0, -1), index]);
    else addPhrase(phrase, index);
  }
}

function addPhrase(phrase: string, index: number): void {
  const parts = phrase.split(BETWEEN_WORDS);
  FIRST_WORDS.add(parts[0] ?? '');
  longestPhrase = Math.max(longestPhrase, parts.length);
  PHRASES.getOrInsertComputed(phrase, () => []).push(index);
}

/** The genres whose words are in a name, in the order of the taxonomy. */
function genresOfName(name: string): string[] {
  // A capital İ becomes two characters in lower case, and the Turkish "HİT" should match hit.
  const parts = name.slice(0, MAX_NAME_LENGTH).toLowerCase().replaceAll('i\u0307', 'i').split(BETWEEN_WORDS);
  const found = new Set<number>();
  // Words and separators alternate.
  for (let at = 0; at < parts.length; at += 2) addGenresAt(parts, at, found);
  return [...found].toSorted((a, b) => a - b).map((index) => taxonomy.genres[index]?.slug ?? '');
}

function addGenresAt(parts: readonly string[], at: number, found: Set<number>): void {
  const word = parts[at] ?? '';
  for (const [beginning, index] of BEGINNINGS) if (word.startsWith(beginning)) found.add(index);
  if (!FIRST_WORDS.has(word)) return;
  let phrase = '';
  for (let end = at; end < Math.min(parts.length, at + longestPhrase); end++) {
    phrase += parts[end] ?? '';
    for (const index of PHRASES.get(phrase) ?? []) found.add(index);
  }
}

const TAG_MAP = new Map<string, readonly string[]>(Object.entries(taxonomy.tagMap));
const IGNORED = new Set(taxonomy.ignoreTags);
const IGNORED_FOLDED = new Set(taxonomy.ignoreTags.map(foldText));

/** In folded text every other character is part of a word. */
const WORD = '[^ &+]';
/** `\b` and `\w` match ASCII letters only; these match every script. */
const everyScript = (pattern: string): string =>
  pattern
    .replaceAll(String.raw`\b`, `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`)
    .replaceAll(String.raw`\w`, WORD);

const foldPattern = (pattern: string): string =>
  pattern
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss');

const TAGS = taxonomy.genres.flatMap(({ slug, tagPattern }) =>
  tagPattern ? [{ slug, inner: everyScript(foldPattern(tagPattern)) }] : [],
);
const wholeTag = (inner: string): RegExp => new RegExp(`^(?:${inner})$`, 'u');
const TAG_PATTERNS = TAGS.map(({ slug, inner }) => ({ slug, pattern: wholeTag(inner) }));
/** Most tags outside the map match nothing, which one test finds out faster than 130. */
const ANY_TAG = wholeTag(TAGS.map(({ inner }) => inner).join('|'));

const MAX_CACHED = 20_000;
/** No genre's name is half as long; anything longer is a text, which would be searched and cached whole. */
const MAX_TAG_LENGTH = 100;
const cache = new Map<string, readonly string[]>();

/** The genres of one tag. Tags repeat: 9,298 different ones in 229,000 uses, so each is computed once. */
export function genresOfTag(tag: string): readonly string[] {
  if (tag.length > MAX_TAG_LENGTH) return [];
  const known = cache.get(tag);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const found = lookUp(tag.trim().toLowerCase());
  cache.set(tag, found);
  return found;
}

function lookUp(tag: string): readonly string[] {
  if (IGNORED.has(tag)) return [];
  const mapped = TAG_MAP.get(tag);
  if (mapped) return mapped;
  const folded = foldText(tag);
  if (IGNORED_FOLDED.has(folded) || !ANY_TAG.test(folded)) return [];
  return TAG_PATTERNS.flatMap(({ slug, pattern }) => (pattern.test(folded) ? [slug] : []));
}
