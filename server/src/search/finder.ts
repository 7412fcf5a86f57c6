import { FED } from '../cache/lifetimes.ts';
import { ReadThrough } from '../cache/read-through.ts';
import { listShows, type ShowRow } from '../catalog/shows.ts';
import { type NewestTopicRow, listNewestTopicsByWords } from '../catalog/newest-topics.ts';
import { listTopicsOfShow } from '../catalog/topics.ts';
import type { Queryable } from '../db/pool.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { ShowFacts } from '../opml/show-outlines.ts';
import { type Hit, type Kinds, findItems } from './find.ts';
import { ENOUGH } from './queries.ts';
import type { Question } from './question.ts';
import { idsOfAddress } from './stream-address.ts';
import { anywhereQuery, wholeQuery } from './text-query.ts';

/** A show that was found. */
export interface ShowHit {
  show: FoundShow;
  score: number;
}

export interface FoundShow extends ShowFacts {
  /** What can be played of it. */
  formats: FormatMask;
}

/** Stations are in memory, so their ids are enough; shows come with what is told of them. */
export interface Found {
  stations: readonly Hit[];
  shows: readonly ShowHit[];
}

/** A question with what decides what the database is asked for. */
export interface Asked extends Question {
  kinds: Kinds;
  enough: number;
  /** How many shows the answer has room for; the rows of others are not read. */
  shows: number;
}

/** More than any answer shows, whatever the partner's sizes. */
const MOST_SHOWS = 50;
const TOPICS_OF_A_SHOW = 5;
const MOST_TOPICS = 20;

/** The database's part of a search, with what was asked lately: many listeners look for the same few stations. */
export class Finder {
  readonly #found: ReadThrough<Found>;
  /** Long lists, of which few are kept. */
  readonly #plenty: ReadThrough<Found>;
  readonly #shows: ReadThrough<FoundShow | undefined>;
  readonly #topics: ReadThrough<NewestTopicRow[]>;
  readonly #told: ReadThrough<NewestTopicRow[]>;
  readonly #addresses: ReadThrough<number[]>;

  constructor(db: Queryable) {
    const kept = { most: 5000, ...FED, staleMs: 600_000 };
    const find = (key: string): Promise<Found> => findAll(db, JSON.parse(key));
    const findShow = async (id: string): Promise<FoundShow | undefined> =>
      (await listShows(db, [Number(id)])).filter(({ listed }) => listed).map(factsOf)[0];
    const findTopics = (queries: string): Promise<NewestTopicRow[]> =>
      findTopicsByWords(db, JSON.parse(queries));
    this.#found = new ReadThrough({ ...kept, load: find });
    this.#plenty = new ReadThrough({ ...kept, most: 300, load: find });
    this.#shows = new ReadThrough({ ...kept, load: findShow });
    this.#topics = new ReadThrough({ ...kept, load: (key) => topicsOfShow(db, key) });
    this.#told = new ReadThrough({ ...kept, most: 1000, load: findTopics });
    this.#addresses = new ReadThrough({ ...kept, load: (key) => idsOfAddress(db, key) });
  }

  find({ words, fields, kinds, enough, shows }: Asked): Promise<Found> {
    const kept = enough > ENOUGH ? this.#plenty : this.#found;
    return kept.get(JSON.stringify({ words, fields, kinds, enough, shows }));
  }

  showOfId(id: number): Promise<FoundShow | undefined> {
    return this.#shows.get(String(id));
  }

  /** The newest topics of a show that can be played. */
  topicsOf(showId: number, formats: FormatMask): Promise<readonly NewestTopicRow[]> {
    return this.#topics.get(`${showId} ${formats}`);
  }

  /** Topics that have all the words in their titles and can be played, as long as they are the newest of their shows. */
  async topicsAbout(question: Question, formats: FormatMask): Promise<readonly NewestTopicRow[]> {
    const { words, fields } = question;
    if (words.length === 0 || fields.length > 0) return [];
    const queries = { typed: anywhereQuery(question), whole: wholeQuery(question), formats };
    return this.#told.get(JSON.stringify(queries));
  }

  /** The stations that have a stream at an address. */
  stationsAt(addressKey: string): Promise<number[]> {
    return this.#addresses.get(addressKey);
  }
}

async function findAll(db: Queryable, { kinds, enough, shows: room, ...question }: Asked): Promise<Found> {
  const { stations, shows } = await findItems(db, kinds, question, enough);
  return { stations, shows: await loadShows(db, shows.slice(0, Math.min(room, MOST_SHOWS))) };
}

const findTopicsByWords = (
  db: Queryable,
  { formats, ...words }: { typed: string; whole: string; formats: FormatMask },
): Promise<NewestTopicRow[]> => listNewestTopicsByWords(db, words, { limit: MOST_TOPICS, formats });

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

/** What an answer shows; descriptions are long, and thousands of answers are kept. */
const factsOf = ({ id, title, hosts, description, genre_id: genreId, formats }: ShowRow): FoundShow => ({
  id,
  title,
  subtext: hosts ?? firstLine(description) ?? title,
  genreId: genreId ?? undefined,
  formats,
});

const LONGEST_SUBTEXT = 120;

/** Put together anew: a slice would keep the whole description in memory. */
const firstLine = (text: string | null): string | undefined =>
  Array.from(text?.split('\n', 1)[0]?.slice(0, LONGEST_SUBTEXT) ?? '')
    .join('')
    .trim() || undefined;
