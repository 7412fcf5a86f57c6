import type { Address, OpmlDocument, Outline, Target } from '../opml/document.ts';
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
  /** Where a listener without an account is sent to make one. */
  registrationUrl: string | undefined;
}

/** The first menu, the same for every caller of a language but for its last line. */
export function indexMenu(request: IndexRequest): OpmlDocument {
  const { words, hasSearch } = request;
  const entries = ENTRIES.map(([text, key, target]) => linkOutline(words.text(text), target, { key }));
  const search = hasSearch ? [searchOutline(words.text('browse.search'), SEARCH)] : [];
  return { title: words.text('browse.index'), outlines: [...search, ...entries, presets(request)] };
}

const SEARCH: Target = { path: '/Search.ashx', params: [['query', '{QUERY}']] };

/** Who is named gets to the presets, anyone else to where an account is made. */
function presets({ words, isNamed, registrationUrl }: IndexRequest): Outline {
  const target: Target | Address = isNamed ? byClassifier('presets') : registration(registrationUrl);
  return linkOutline(words.text('browse.presets'), target, { key: 'presets' });
}

/** Clients cut an address at its `?`, so it has one. */
const registration = (url: string | undefined): Target | Address =>
  url === undefined
    ? { path: '/listen/register', params: [] }
    : { address: url.includes('?') ? url : `${url}?` };
