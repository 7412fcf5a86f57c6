import { FED } from '../cache/lifetimes.ts';
import { ReadThrough } from '../cache/read-through.ts';
import { type NewestTopicRow, listNewestTopicsOfGenres } from '../catalog/newest-topics.ts';
import type { Queryable } from '../db/pool.ts';
import { idsUnderGenre } from '../directory/by-genre.ts';
import type { DirectoryGenre } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { linkOutline } from '../opml/outlines.ts';
import { mixedTopicLine } from '../opml/topic-line.ts';
import { genreName } from './item-links.ts';
import { orNothing } from './nothing.ts';
import { type BrowseRequest, filterOfPage } from './request.ts';

const TOPICS_PER_PAGE = 50;
/** What is new is on the first pages; further on it is only old. */
const LAST_OFFSET = 450;

/** The newest topics of genres, as read lately. */
export class NewestTopics {
  readonly #pages: ReadThrough<NewestTopicRow[]>;

  constructor(db: Queryable) {
    this.#pages = new ReadThrough({ load: (key) => readPage(db, key), most: 1000, ...FED });
  }

  /** A page and, when there is more, one topic beyond it. */
  get(
    { offset, filter, stations }: BrowseRequest,
    genre: DirectoryGenre,
  ): Promise<readonly NewestTopicRow[]> {
    if (offset > LAST_OFFSET) return Promise.resolve([]);
    const genreIds = idsUnderGenre(genre).join();
    return this.#pages.get(`${genreIds} ${offset} ${stations.formats} ${filter.languageId ?? ''}`);
  }
}

function readPage(db: Queryable, key: string): Promise<NewestTopicRow[]> {
  const [ids = '', offset = '', formats = '', languageId = ''] = key.split(' ');
  const range = { offset: Number(offset), limit: TOPICS_PER_PAGE + 1, formats: Number(formats) };
  const genreIds = ids.split(',').map(Number);
  return listNewestTopicsOfGenres(db, genreIds, range, languageId === '' ? undefined : Number(languageId));
}

/** What came out last in a genre: of each show its newest topic, so that no show fills the page. */
export function newestTopicsMenu(
  request: BrowseRequest,
  genre: DirectoryGenre,
  rows: readonly NewestTopicRow[],
): OpmlDocument {
  const { words, offset } = request;
  const lines = rows.slice(0, TOPICS_PER_PAGE).map((row) => mixedTopicLine(row, words.language));
  const next = offset + TOPICS_PER_PAGE;
  if (rows.length > TOPICS_PER_PAGE && next <= LAST_OFFSET) lines.push(moreTopics(request, genre, next));
  const title = `${words.text('browse.topics')} - ${genreName(request, genre)}`;
  return { title, outlines: orNothing(request, lines) };
}

const moreTopics = (request: BrowseRequest, genre: DirectoryGenre, offset: number): Outline =>
  linkOutline(
    request.words.text('browse.moreTopics'),
    {
      path: '/Browse.ashx',
      params: [
        ['offset', `${offset}`],
        ['id', guideId('g', genre.id)],
      ],
      filter: filterOfPage(request, {}),
    },
    { key: 'nextTopics' },
  );
