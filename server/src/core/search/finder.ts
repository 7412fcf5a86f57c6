import type { FormatMask } from '../../lib/stream-format.ts';
import type { ShowFacts } from './show-facts.ts';
import type { Question } from './question.ts';
import { FED, ReadThrough } from '../../storage/cache/read-through.ts';
import { listNewestTopicsByWords, type NewestTopicRow } from '../../storage/catalog/shows/newest-topics.ts';
import { listShows, type ShowRow } from '../../storage/catalog/shows/shows.ts';
import { listTopicsOfShow } from '../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { findItems, type Hit, type Kinds } from './find.ts';
import { ENOUGH, idsOfAddress, stationsNamed } from './queries.ts';
import { anywhereQuery, wholeQuery } from './text-query.ts';

/** A show that was found. */
export interface ShowHit {
  show: FoundShow;
  score: number;
}

export interface FoundShow extends ShowFacts {
  /** Formats of its playable topics. */
  formats: FormatMask;
}

/** A station with its whole name as one word. */
interface NamedHit extends Hit {
  key: string;
}

/** Stations are in memory, so their ids are enough; shows come with the fields that are displayed. */
export interface SearchResults {
  stations: readonly Hit[];
  shows: readonly ShowHit[];
}

/** A query with the options that decide which statement runs. */
export interface SearchRequest extends Question {
  kinds: Kinds;
  enough: number;
  /** How many shows the response has room for; no more rows are read. */
  shows: number;
}

/** More than any response shows, whatever sizes the partner sets. */
const MAX_SHOWS = 50;
const TOPICS_OF_A_SHOW = 5;
const MAX_TOPICS = 20;

/** The database's part of a search, with a cache: many listeners search for the same few stations. */
export class Finder {
  readonly #found: ReadThrough<SearchResults>;
  /** Long lists, of which few are cached. */
  readonly #plenty: ReadThrough<SearchResults>;
  readonly #shows: ReadThrough<FoundShow | undefined>;
  readonly #topics: ReadThrough<NewestTopicRow[]>;
  readonly #topicsByWords: ReadThrough<NewestTopicRow[]>;
  readonly #addresses: ReadThrough<number[]>;
  readonly #named: ReadThrough<NamedHit[]>;

  constructor(db: Queryable) {
    const kept = { most: 5000, ...FED, staleMs: 600_000 };
    const find = (key: string): Promise<SearchResults> => findAll(db, JSON.parse(key));
    const findShow = async (id: string): Promise<FoundShow | undefined> =>
      (await listShows(db, [Number(id)])).filter(({ listed }) => listed).map(factsOf)[0];
    const findTopics = (queries: string): Promise<NewestTopicRow[]> =>
      findTopicsByWords(db, JSON.parse(queries));
    this.#found = new ReadThrough({ ...kept, load: find });
    this.#plenty = new ReadThrough({ ...kept, most: 300, load: find });
    this.#shows = new ReadThrough({ ...kept, load: findShow });
    this.#topics = new ReadThrough({ ...kept, load: (key) => topicsOfShow(db, key) });
    this.#topicsByWords = new ReadThrough({ ...kept, most: 1000, load: findTopics });
    this.#addresses = new ReadThrough({ ...kept, load: (key) => idsOfAddress(db, key) });
    this.#named = new ReadThrough({ ...kept, load: (names) => findNamed(db, names.split(' ')) });
  }

  find({ words, fields, kinds, enough, shows }: SearchRequest): Promise<SearchResults> {
    const kept = enough > ENOUGH ? this.#plenty : this.#found;
    return kept.get(JSON.stringify({ words, fields, kinds, enough, shows }));
  }

  showOfId(id: number): Promise<FoundShow | undefined> {
    return this.#shows.get(String(id));
  }

  /** The newest playable topics of a show. */
  topicsOf(showId: number, formats: FormatMask): Promise<readonly NewestTopicRow[]> {
    return this.#topics.get(`${showId} ${formats}`);
  }

  /** Playable topics with all the words in their titles, limited to the newest of each show. */
  async topicsAbout(question: Question, formats: FormatMask): Promise<readonly NewestTopicRow[]> {
    const { words, fields } = question;
    if (words.length === 0 || fields.length > 0) return [];
    const queries = { typed: anywhereQuery(question), whole: wholeQuery(question), formats };
    return this.#topicsByWords.get(JSON.stringify(queries));
  }

  /** The stations with one of these whole names, each as one word. */
  stationsNamed(names: readonly string[]): Promise<NamedHit[]> {
    return this.#named.get(names.join(' '));
  }

  /** The stations that have a stream at an address. */
  stationsAt(addressKey: string): Promise<number[]> {
    return this.#addresses.get(addressKey);
  }
}

async function findAll(
  db: Queryable,
  { kinds, enough, shows: room, ...question }: SearchRequest,
): Promise<SearchResults> {
  const { stations, shows } = await findItems(db, kinds, question, enough);
  return { stations, shows: await loadShows(db, shows.slice(0, Math.min(room, MAX_SHOWS))) };
}

const findNamed = async (db: Queryable, names: readonly string[]): Promise<NamedHit[]> =>
  (await stationsNamed.run(db, [names])).map(({ item_id: id, score, name_key: key }) => ({ id, score, key }));

const findTopicsByWords = (
  db: Queryable,
  { formats, ...words }: { typed: string; whole: string; formats: FormatMask },
): Promise<NewestTopicRow[]> => listNewestTopicsByWords(db, words, { limit: MAX_TOPICS, formats });

async function topicsOfShow(db: Queryable, key: string): Promise<NewestTopicRow[]> {
  const [showId = 0, formats = 0] = key.split(' ').map(Number);
  const [[show], topics] = await Promise.all([
    listShows(db, [showId]),
    listTopicsOfShow(db, showId, { limit: TOPICS_OF_A_SHOW, formats }),
  ]);
  return show ? topics.map((topic) => ({ ...topic, show_title: show.title })) : [];
}

async function loadShows(db: Queryable, hits: readonly Hit[]): Promise<ShowHit[]> {
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  const rows = new Map((await listShows(db, ids)).map((show) => [show.id, show]));
  return hits.flatMap(({ id, score }) => {
    const show = rows.get(id);
    return show?.listed ? [{ show: factsOf(show), score }] : [];
  });
}

/** Only the fields a response shows; descriptions are long, and thousands of results are cached. */
const factsOf = ({ id, title, hosts, description, genre_id: genreId, formats }: ShowRow): FoundShow => ({
  id,
  title,
  subtext: hosts ?? firstLine(description) ?? title,
  genreId: genreId ?? undefined,
  formats,
});

const MAX_SUBTEXT_LENGTH = 120;

/** Copied: a slice would keep the whole description in memory. */
const firstLine = (text: string | null): string | undefined =>
  Array.from(text?.split('\n', 1)[0]?.slice(0, MAX_SUBTEXT_LENGTH) ?? '')
    .join('')
    .trim() || undefined;
