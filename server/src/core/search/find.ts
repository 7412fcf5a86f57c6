import { guideId } from '../../lib/guide-id.ts';
import { foldText } from '../../lib/search-words.ts';
import type { Question } from './question.ts';
import { cityWord, isSpelled, searchKey } from '../../storage/catalog/search/search-document.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { alike, IN_NAME, matching, NAMED_IN_FULL, otherMeanings } from './queries.ts';
import {
  anywhereQuery,
  fieldsQuery,
  inNameQuery,
  lastWordQuery,
  type Meant,
  respelledQuery,
  someQuery,
  wholeQuery,
} from './text-query.ts';

/** Stations, shows or both, by the letters of their guide IDs. */
export type Kinds = 's' | 'p' | 'sp';

/** An item and its score. */
export interface Hit {
  id: number;
  score: number;
}

/** The hits of each kind, the best first. */
interface Hits {
  stations: Hit[];
  shows: Hit[];
}

/** With fewer hits than this, the listener may have meant something else. */
const FEW = 5;
/** A short word is one typing error from nearly every other; the limit for all words of a query together. */
const MAX_OTHERS = 120;

/** Items that match the query; if there are few, also those that match with a typing error or with fewer words. */
export async function findItems(
  db: Queryable,
  kinds: Kinds,
  question: Question,
  enough: number,
): Promise<Hits> {
  const { words, fields } = question;
  if (words.length + fields.length === 0) return { stations: [], shows: [] };
  const key = searchKey(words);
  const inFields = fieldsQuery(question);
  const params = [key, anywhereQuery(question), enough, inFields, inNameQuery(question)];
  // There are few enough stations to match the beginning of any word.
  const ofShows = kinds === 's' ? [] : [wholeQuery(question), lastWordQuery(question)];
  const found = hits(await matching[kinds].run(db, [...params, ...ofShows]));
  if (count(found) >= FEW || words.length === 0 || isNamed(found)) return found;
  const lookAlike = async (query: string): Promise<Hits> =>
    hits(await alike[kinds].run(db, [key, query, enough, inFields]));
  const [meant, cities] = await guessWords(db, words);
  const inCountry = await findWithoutCity(db, kinds, question, cities, enough);
  if (inCountry) return mergeHits(inCountry, found);
  const others = await lookAlike(respelledQuery(meant, question));
  if (count(found) + count(others) > 0) return mergeHits(found, others);
  const telling = words.filter((word) => !SAYS_LITTLE.test(word));
  if (telling.length > 0 && telling.length < words.length)
    return findItems(db, kinds, { words: telling, fields }, enough);
  for (const fewer of fewerWords(meant)) {
    const some = await lookAlike(someQuery(meant, fewer, question));
    if (count(some) > 0) return some;
  }
  return found;
}

const count = ({ stations, shows }: Hits): number => stations.length + shows.length;

/** Whether an item's name contains the query, so that nothing else can have been meant. */
const isNamed = ({ stations, shows }: Hits): boolean =>
  [stations[0], shows[0]].some((best) => best !== undefined && best.score >= IN_NAME);

/** How many words must match when not all do: all but one, else two. One alone says too little. */
const fewerWords = ({ length }: readonly Meant[]): number[] =>
  length < 3 ? [] : [...new Set([length - 1, 2])];

/** A frequency that no record has, or the format of a stream: "arabella 92.9" is Arabella all the same. */
const SAYS_LITTLE = /^(?:[\d.]+|fm|am|dab|mp3|aac|ogg|hd|hq|kbps|live|online|stream)$/;

/** A city that a word of the query names, the largest first. */
interface NamedCity {
  word: string;
  /** Undefined where it is called so in the directory. */
  cityId: number | undefined;
  countryId: number;
}

/** Networks have no city: "fip paris" is also what is called FIP in France. */
async function findWithoutCity(
  db: Queryable,
  kinds: Kinds,
  { words, fields }: Question,
  cities: readonly NamedCity[],
  enough: number,
): Promise<Hits | undefined> {
  const [city] = cities;
  const rest = words.filter((word) => word !== city?.word);
  if (!city || kinds === 'p' || rest.length === 0 || fields.length > 0) return undefined;
  const called = async (field: Question['fields'][number]): Promise<Hit[]> => {
    const question = { words: rest, fields: [field] };
    const params = [searchKey(rest), anywhereQuery(question), enough, fieldsQuery(question)];
    const { stations } = hits(await matching.s.run(db, [...params, inNameQuery(question)]));
    return stations.filter(({ score }) => score >= NAMED_IN_FULL);
  };
  const cityId = city.cityId === undefined ? city.word : guideId('r', city.cityId);
  // One of that name in the city itself is meant, and found by that.
  if ((await called({ field: 'city', words: [cityId] })).length > 0) return undefined;
  const stations = await called({ field: 'country', words: [guideId('n', city.countryId)] });
  return stations.length > 0 ? { stations, shows: [] } : undefined;
}

async function guessWords(db: Queryable, words: readonly string[]): Promise<[Meant[], NamedCity[]]> {
  const spelled = words.filter(isSpelled);
  // Names of places are stored as keys, which have no marks.
  const rows = await otherMeanings.run(db, [spelled, spelled.map(foldText)]);
  const most = Math.ceil(MAX_OTHERS / words.length);
  const named = rows
    .toSorted((one, other) => (other.population ?? 0) - (one.population ?? 0))
    .flatMap(({ typed: word, city_id: cityId, country_id: countryId }) =>
      countryId === null ? [] : [{ word, cityId: cityId ?? undefined, countryId }],
    );
  const meant = words.map((word) => {
    const others = rows.filter(({ typed }) => typed === word);
    const near = others.flatMap((other) => other.word ?? []).filter((other) => isOneErrorApart(word, other));
    const cities = others.flatMap((other) => other.city_id ?? []);
    return { word, others: [...near.slice(0, most), ...cities.map(cityWord)] };
  });
  return [meant, named];
}

interface FoundRow {
  station_ids?: readonly number[];
  station_scores?: readonly number[];
  show_ids?: readonly number[];
  show_scores?: readonly number[];
}

const hits = ([row]: readonly FoundRow[]): Hits => ({
  stations: hitsOf(row?.station_ids, row?.station_scores),
  shows: hitsOf(row?.show_ids, row?.show_scores),
});

const hitsOf = (ids: readonly number[] = [], scores: readonly number[] = []): Hit[] =>
  ids.map((id, index) => ({ id, score: scores[index] ?? 0 }));

const mergeHits = (found: Hits, others: Hits): Hits => ({
  stations: merge(found.stations, others.stations),
  shows: merge(found.shows, others.shows),
});

/** Exact matches come before corrected ones. */
function merge(found: readonly Hit[], others: readonly Hit[]): Hit[] {
  const known = new Set(found.map(({ id }) => id));
  const least = found.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  const meant = others.filter(({ id }) => !known.has(id));
  return [...found, ...meant.map(({ id, score }) => ({ id, score: Math.min(score, least - 1) }))];
}

/** Whether two words are one typing error apart: a letter missing, added, wrong, or two neighbours swapped. */
export function isOneErrorApart(typed: string, meant: string): boolean {
  const a = Array.from(typed);
  const b = Array.from(meant);
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  if (rest(a, start + 1) === rest(b, start + 1)) return true;
  if (rest(a, start) === rest(b, start + 1) || rest(a, start + 1) === rest(b, start)) return true;
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return isSwapped && rest(a, start + 2) === rest(b, start + 2);
}

const rest = (signs: readonly string[], from: number): string => signs.slice(from).join('');
