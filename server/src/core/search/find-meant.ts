import { codeNames } from '../i18n/names.ts';
import { memoize } from '../../lib/memoize.ts';
import { searchWords } from '../../lib/search-words.ts';
import { searchKey } from '../../storage/catalog/search/search-document.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import type { Snapshot } from '../directory/snapshot/snapshot.ts';
import type { Hit } from './find.ts';
import type { Finder, SearchRequest, SearchResults } from './finder.ts';
import { behindNickname } from './nicknames.ts';

/** More than any difference of popularity: who types a nickname means the station that has it. */
const NICKNAME = 400;

/** "Radio Mitre" is Mitre, but a well-known station whose name begins with Mitre comes before it. */
const WITH_MORE = 250;
const WITH_COUNTRY = 50;

/**
 * What somebody in a country means by a query: what its words find, what a nickname stands for there, and stations of the
 * country whose name is what was typed with something around it that nobody types: "Jazz FM UK", "Cadena SER España",
 * "Radio FFN", "104.6 RTL Live".
 */
export async function findMeant(
  finder: Finder,
  request: SearchRequest,
  snapshot: Snapshot,
  countryCode: string | undefined,
): Promise<SearchResults> {
  const nickname = behindNickname(request, countryCode);
  const isName = request.kinds !== 'p' && request.words.length > 0 && request.fields.length === 0;
  const [typed, behind, around] = await Promise.all([
    finder.find(request),
    nickname && finder.find({ ...request, ...nickname }),
    isName && countryCode !== undefined
      ? findAround(finder, nickname?.words ?? request.words, snapshot, countryCode)
      : [],
  ]);
  const meant = (behind?.stations ?? []).map(({ id, score }) => ({ id, score: score + NICKNAME }));
  return { stations: bestOf([...meant, ...around, ...typed.stations]), shows: typed.shows };
}

/** Stations of a country that are called so, with their country behind it or what every station may be called. */
async function findAround(
  finder: Finder,
  words: readonly string[],
  snapshot: Snapshot,
  countryCode: string,
): Promise<Hit[]> {
  const withCountry = countryWords(countryCode).map((word) => searchKey([...words, word]));
  const withMore = [['radio', ...words], ...['radio', 'live', 'fm'].map((word) => [...words, word])];
  const found = await finder.stationsNamed([...withCountry, ...withMore.map(searchKey)]);
  return found
    .filter(({ id }) => (findStation(snapshot, id)?.countryCode ?? countryCode) === countryCode)
    .map(({ id, score, key }) => ({
      id,
      score: score - (withCountry.includes(key) ? WITH_COUNTRY : WITH_MORE),
    }));
}

/** Each once, with its highest score. */
export function bestOf(hits: readonly Hit[]): Hit[] {
  const scores = new Map<number, number>();
  for (const { id, score } of hits) scores.set(id, Math.max(score, scores.get(id) ?? 0));
  return [...scores].map(([id, score]) => ({ id, score }));
}

/** Beside its names and its code. */
const CALLED: Readonly<Record<string, readonly string[]>> = { GB: ['uk', 'england'], US: ['usa', 'america'] };

/** What stations of a country write behind their names, each as one word: es, spain, espana. */
const countryWords = memoize((code) => {
  const language = new Intl.Locale(`und-${code}`).maximize().language;
  const names = [code, codeNames('en').countryName(code), codeNames(language).countryName(code)];
  const words = [...names, ...(CALLED[code] ?? [])].map((name) => searchKey(searchWords(name)));
  return [...new Set(words)].filter((word) => word !== '');
});
