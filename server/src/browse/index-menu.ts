import type { OpmlDocument, Outline, Target } from '../opml/document.ts';
import { linkOutline, searchOutline } from '../opml/outlines.ts';
import type { MessageKey } from '../words/messages.ts';
import type { Words } from '../words/words.ts';

const byClassifier = (c: string): Target => ({ path: '/Browse.ashx', params: [['c', c]] });

/** Order and keys are the protocol's. "By Location" has a key too: real clients drop an entry without one, or crash. */
const ENTRIES: readonly (readonly [text: MessageKey, key: string, target: Target])[] = [
  ['browse.local', 'local', byClassifier('local')],
  ['browse.talk', 'talk', byClassifier('talk')],
  ['browse.sports', 'sports', byClassifier('sports')],
  ['browse.music', 'music', byClassifier('music')],
  ['browse.location', 'location', { path: '/Browse.ashx', params: [['id', 'r0']] }],
  ['browse.language', 'language', byClassifier('lang')],
  ['browse.podcasts', 'podcast', byClassifier('podcast')],
];

export interface IndexRequest {
  words: Words;
  /** Whether the caller names an account or a device. */
  isNamed: boolean;
  /** Whether there is a line to search by; clients other than those of Index.aspx fail on it. */
  hasSearch: boolean;
  /** Whether the caller adds an entry for presets itself; one that leads to a registration would be a second one. */
  ownPresets: boolean;
}

/** The first menu, the same for every caller of a language but for its last line. */
export function indexMenu(request: IndexRequest): OpmlDocument {
  const { words, isNamed, hasSearch, ownPresets } = request;
  const entries = ENTRIES.map(([text, key, target]) => linkOutline(words.text(text), target, { key }));
  const search = hasSearch ? [searchOutline(words.text('browse.search'), SEARCH)] : [];
  const last = ownPresets && !isNamed ? [] : [presets(request)];
  return { title: words.text('browse.index'), outlines: [...search, ...entries, ...last] };
}

const SEARCH: Target = { path: '/Search.ashx', params: [['query', '{QUERY}']] };
/** A page for people's browsers; programs that follow it are told in a line where an account is made. */
const REGISTRATION: Target = { path: '/listen/register', params: [] };

/** Who is named gets to the presets, anyone else to where an account is made. */
const presets = ({ words, isNamed }: IndexRequest): Outline =>
  linkOutline(words.text('browse.presets'), isNamed ? byClassifier('presets') : REGISTRATION, {
    key: 'presets',
  });
