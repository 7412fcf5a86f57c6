import taxonomy from '../catalog/genre-taxonomy.json' with { type: 'json' };
import { foldText } from '../lib/fold-text.ts';

const TAG_MAP = new Map<string, readonly string[]>(Object.entries(taxonomy.tagMap));
const IGNORED = new Set(taxonomy.ignoreTags);
const IGNORED_FOLDED = new Set(taxonomy.ignoreTags.map(foldText));

/** In folded text everything but these is of a word. */
const WORD = '[^ &+]';
/** `\b` and `\w` know ASCII letters only; these know every script. */
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
/** Most tags outside the map match nothing, which one test finds out sooner than 130. */
const ANY_TAG = wholeTag(TAGS.map(({ inner }) => inner).join('|'));

const MAX_REMEMBERED = 20_000;
/** No genre's name is half as long; more is a text, which would be searched and remembered whole. */
const LONGEST_TAG = 100;
const remembered = new Map<string, readonly string[]>();

/** The genres one tag stands for. Tags repeat: 9,298 different ones in 229,000 uses, so each is worked out once. */
export function genresOfTag(tag: string): readonly string[] {
  if (tag.length > LONGEST_TAG) return [];
  const known = remembered.get(tag);
  if (known) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const found = lookUp(tag.trim().toLowerCase());
  remembered.set(tag, found);
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
