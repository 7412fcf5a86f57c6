import { cityWord, isSpelled, searchKey } from '../catalog/search-document.ts';
import type { Queryable } from '../db/pool.ts';
import { isOneErrorApart } from './one-error.ts';
import { IN_NAME, alike, matching, otherMeanings } from './queries.ts';
import type { Question } from './question.ts';
import {
  type Meant,
  anywhereQuery,
  fieldsQuery,
  inNameQuery,
  lastWordQuery,
  respelledQuery,
  someQuery,
  wholeQuery,
} from './text-query.ts';

/** Stations, shows or both, by the letters of their guide IDs. */
export type Kinds = 's' | 'p' | 'sp';

/** An item and how well it fits. */
export interface Hit {
  id: number;
  score: number;
}

/** What was found, the best of each kind first. */
export interface Hits {
  stations: Hit[];
  shows: Hit[];
}

/** Fewer than this, and the listener may have meant something else. */
const FEW = 5;
/** Of a short word nearly every other is one typing error away; so many are taken for all words of a query together. */
const MOST_OTHERS = 120;

/** What fits the question; when that is little, also what fits it with a typing error or with fewer words. */
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
  const asked = [key, anywhereQuery(question), enough, inFields, inNameQuery(question)];
  // Stations are few enough for what begins with any word.
  const ofShows = kinds === 's' ? [] : [wholeQuery(question), lastWordQuery(question)];
  const found = hits(await matching[kinds].run(db, [...asked, ...ofShows]));
  if (count(found) >= FEW || words.length === 0 || isNamed(found)) return found;
  const lookAlike = async (query: string): Promise<Hits> =>
    hits(await alike[kinds].run(db, [key, query, enough, inFields]));
  const meant = await guessWords(db, words);
  const others = await lookAlike(respelledQuery(meant, question));
  if (count(found) + count(others) > 0) return mergeHits(found, others);
  for (const fewer of fewerWords(meant)) {
    const some = await lookAlike(someQuery(meant, fewer, question));
    if (count(some) > 0) return some;
  }
  return found;
}

const count = ({ stations, shows }: Hits): number => stations.length + shows.length;

/** Whether an item has in its name what was typed, so that nothing else can have been meant. */
const isNamed = ({ stations, shows }: Hits): boolean =>
  [stations[0], shows[0]].some((best) => best !== undefined && best.score >= IN_NAME);

/** How many words must fit when not all do: all but one, else two. One alone says too little. */
const fewerWords = ({ length }: readonly Meant[]): number[] =>
  length < 3 ? [] : [...new Set([length - 1, 2])];

async function guessWords(db: Queryable, words: readonly string[]): Promise<Meant[]> {
  const rows = await otherMeanings.run(db, [words.filter(isSpelled)]);
  const most = Math.ceil(MOST_OTHERS / words.length);
  return words.map((word) => {
    const others = rows.filter(({ typed }) => typed === word);
    const spelled = others
      .flatMap((other) => other.word ?? [])
      .filter((other) => isOneErrorApart(word, other));
    const cities = others.flatMap((other) => other.city_id ?? []);
    return { word, others: [...spelled.slice(0, most), ...cities.map(cityWord)] };
  });
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

/** What was typed comes before what may have been meant. */
function merge(found: readonly Hit[], others: readonly Hit[]): Hit[] {
  const known = new Set(found.map(({ id }) => id));
  const least = found.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  const meant = others.filter(({ id }) => !known.has(id));
  return [...found, ...meant.map(({ id, score }) => ({ id, score: Math.min(score, least - 1) }))];
}
