import { FED } from '../cache/lifetimes.ts';
import { ReadThrough } from '../cache/read-through.ts';
import { listNewestTopicsOfGenres } from '../catalog/newest-topics.ts';
import {
  type ShowRange,
  type ShowRow,
  idsOfGenresWithShows,
  idsOfLanguagesWithShows,
  listShowsOfGenres,
  listShowsOfLanguage,
} from '../catalog/shows.ts';
import type { Queryable } from '../db/pool.ts';
import { findGenre, idsUnderGenre } from '../directory/by-genre.ts';
import type { Directory } from '../directory/directory.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { ShowFacts } from '../opml/show-outlines.ts';
import { atHand } from './at-hand.ts';

/** A page of shows. It keeps its stamp for as long as it reads the same. */
export interface ShowPage {
  readonly shows: readonly ShowFacts[];
  readonly more: boolean;
  /** Whether the genre has new topics to show beside them. */
  readonly hasTopics: boolean;
  readonly stamp: number;
}

/** Which shows: of a genre and those under it, in a language, or both. */
export interface ShowQuery extends ShowRange {
  /** What the caller plays. */
  readonly formats: FormatMask;
  readonly genreId?: number | undefined;
  readonly languageId?: number | undefined;
}

/** Each genre gives as many rows as there are before the end of a page, so there is an end to pages. */
const LAST_OFFSET = 2000;

/** The shows of menus, as read lately. They live in the database alone, and no menu of stations waits for them long. */
export class ShowPages {
  readonly #db: Queryable;
  readonly #directory: Pick<Directory, 'current'>;
  readonly #pages: ReadThrough<ShowPage>;
  readonly #genreIds: ReadThrough<number[]>;
  readonly #languageIds: ReadThrough<number[]>;
  #stamp = 0;

  constructor(db: Queryable, directory: Pick<Directory, 'current'>) {
    this.#db = db;
    this.#directory = directory;
    this.#pages = new ReadThrough({ load: (key) => this.#read(key), most: 5000, ...FED });
    this.#genreIds = new ReadThrough({
      load: (mask) => idsOfGenresWithShows(db, Number(mask)),
      most: 200,
      ...FED,
    });
    this.#languageIds = new ReadThrough({
      load: (mask) => idsOfLanguagesWithShows(db, Number(mask)),
      most: 200,
      ...FED,
    });
  }

  /** What can be had without keeping a listener waiting. */
  atHand(query: ShowQuery): ShowPage | undefined | Promise<ShowPage | undefined> {
    return atHand(this.#pages, keyOf(query));
  }

  /** Throws a Fault when the database is away and the page was not read before. */
  get(query: ShowQuery): Promise<ShowPage> {
    return this.#pages.get(keyOf(query));
  }

  /** The genres of which there are shows that can be played, finer ones not counted in. */
  genreIds(formats: FormatMask): Promise<readonly number[]> {
    return this.#genreIds.get(String(formats));
  }

  /** The languages in which there are such shows, as far as that can be had without keeping a listener waiting. */
  languageIdsAtHand(
    formats: FormatMask,
  ): readonly number[] | undefined | Promise<readonly number[] | undefined> {
    return atHand(this.#languageIds, String(formats));
  }

  async #read(key: string): Promise<ShowPage> {
    const query = queryOf(key);
    const [rows, hasTopics] = await Promise.all([
      this.#rowsOf({ ...query, limit: query.limit + 1 }),
      this.#hasTopics(query),
    ]);
    const shows = rows.slice(0, query.limit).map(showFacts);
    const more = rows.length > query.limit && query.offset + query.limit <= LAST_OFFSET;
    const page = { shows, more, hasTopics };
    const before = this.#pages.peek(key);
    const isSame = before && JSON.stringify({ ...page, stamp: before.stamp }) === JSON.stringify(before);
    return isSame ? before : { ...page, stamp: ++this.#stamp };
  }

  /** Asked once for a list, where it begins. */
  async #hasTopics({ genreId, languageId, offset, formats }: ShowQuery): Promise<boolean> {
    const genre = findGenre(this.#directory.current(), genreId ?? Number.NaN);
    if (!genre || offset > 0) return false;
    const first = { offset: 0, limit: 1, formats };
    return (await listNewestTopicsOfGenres(this.#db, idsUnderGenre(genre), first, languageId)).length > 0;
  }

  async #rowsOf({ genreId, languageId, offset, limit, formats }: ShowQuery): Promise<ShowRow[]> {
    if (offset > LAST_OFFSET) return [];
    const range = { offset, limit, formats };
    if (genreId === undefined) {
      return languageId === undefined ? [] : listShowsOfLanguage(this.#db, languageId, range);
    }
    const genre = findGenre(this.#directory.current(), genreId);
    return genre ? listShowsOfGenres(this.#db, idsUnderGenre(genre), range, languageId) : [];
  }
}

const keyOf = ({ genreId, languageId, offset, limit, formats }: ShowQuery): string =>
  `${genreId ?? ''} ${languageId ?? ''} ${offset} ${limit} ${formats}`;

function queryOf(key: string): ShowQuery {
  const [genreId = '', languageId = '', offset, limit, formats] = key.split(' ');
  return {
    genreId: genreId === '' ? undefined : Number(genreId),
    languageId: languageId === '' ? undefined : Number(languageId),
    offset: Number(offset),
    limit: Number(limit),
    formats: Number(formats),
  };
}

const LONGEST_SUBTEXT = 120;

/** Who speaks, else what it is about, else its title again: clients leave out what has no second line. */
export const showFacts = ({ id, title, hosts, description, genre_id: genreId }: ShowRow): ShowFacts => ({
  id,
  title,
  subtext: hosts ?? description?.slice(0, LONGEST_SUBTEXT) ?? title,
  genreId: genreId ?? undefined,
});
