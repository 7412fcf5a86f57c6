import type { Directory } from '../../../core/directory/directory.ts';
import { findGenre, idsUnderGenre } from '../../../core/directory/lookup/lookups.ts';
import type { ShowFacts } from '../../../core/search/show-facts.ts';
import type { FormatMask } from '../../../lib/stream-format.ts';
import { FED, ReadThrough } from '../../../storage/cache/read-through.ts';
import { listNewestTopicsOfGenres } from '../../../storage/catalog/shows/newest-topics.ts';
import {
  idsOfGenresWithShows,
  idsOfGenresWithShowsIn,
  idsOfLanguagesWithShows,
  listShowsOfGenres,
  listShowsOfLanguage,
  type ShowRange,
  type ShowRow,
} from '../../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { cached } from '../../../storage/cache/cached.ts';

/** A page of shows. Its stamp changes only with its content. */
export interface ShowPage {
  readonly shows: readonly ShowFacts[];
  readonly more: boolean;
  /** Whether the genre has recent topics. */
  readonly hasTopics: boolean;
  readonly stamp: number;
}

/** Which shows: of a genre and its sub-genres, in a language, or both. */
export interface ShowQuery extends ShowRange {
  /** The formats the caller plays. */
  readonly formats: FormatMask;
  readonly genreId?: number | undefined;
  readonly languageId?: number | undefined;
}

/** The query reads all rows up to the end of a page per genre, so paging is limited. */
const LAST_OFFSET = 2000;

/** The shows of menus, cached briefly. They are only in the database, and no menu of stations waits long for them. */
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
    this.#genreIds = new ReadThrough({ load: (key) => readGenreIds(db, key), most: 1000, ...FED });
    this.#languageIds = new ReadThrough({
      load: (mask) => idsOfLanguagesWithShows(db, Number(mask)),
      most: 200,
      ...FED,
    });
  }

  /** What is available without a noticeable delay. */
  cached(query: ShowQuery): ShowPage | undefined | Promise<ShowPage | undefined> {
    return cached(this.#pages, keyOf(query));
  }

  /** Tells whether this is still the page of the query, and needs no reload. */
  watch(query: ShowQuery, page: ShowPage | undefined): () => boolean {
    const pages = this.#pages;
    const key = keyOf(query);
    return () => page !== undefined && pages.fresh(key) === page;
  }

  /** Throws a Fault when the database is unreachable and the page is not cached. */
  get(query: ShowQuery): Promise<ShowPage> {
    return this.#pages.get(keyOf(query));
  }

  /** Genres with playable shows of their own, not counting sub-genres; in one language if it is given. */
  genreIds(formats: FormatMask, languageId?: number): Promise<readonly number[]> {
    return this.#genreIds.get(genresKey(formats, languageId));
  }

  /** The same, if available without a noticeable delay. */
  cachedGenreIds(
    formats: FormatMask,
    languageId: number,
  ): readonly number[] | undefined | Promise<readonly number[] | undefined> {
    return cached(this.#genreIds, genresKey(formats, languageId));
  }

  /** Languages with playable shows, if available without a noticeable delay. */
  cachedLanguageIds(
    formats: FormatMask,
  ): readonly number[] | undefined | Promise<readonly number[] | undefined> {
    return cached(this.#languageIds, String(formats));
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

  /** Queried once per list, for its first page. */
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

const genresKey = (formats: FormatMask, languageId?: number): string => `${formats} ${languageId ?? ''}`;

function readGenreIds(db: Queryable, key: string): Promise<number[]> {
  const [formats, languageId = ''] = key.split(' ');
  return languageId === ''
    ? idsOfGenresWithShows(db, Number(formats))
    : idsOfGenresWithShowsIn(db, Number(languageId), Number(formats));
}

const MAX_SUBTEXT_LENGTH = 120;

/** The hosts, else the description, else the title again: clients skip entries without a second line. */
export const showFacts = ({ id, title, hosts, description, genre_id: genreId }: ShowRow): ShowFacts => ({
  id,
  title,
  subtext: hosts ?? description?.slice(0, MAX_SUBTEXT_LENGTH) ?? title,
  genreId: genreId ?? undefined,
});
