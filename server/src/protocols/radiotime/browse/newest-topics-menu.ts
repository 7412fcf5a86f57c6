import { idsUnderGenre } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryGenre } from '../../../core/directory/snapshot/snapshot.ts';
import { linkTo, type OpmlDocument, type Outline } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { FED, ReadThrough } from '../../../storage/cache/read-through.ts';
import {
  listNewestTopicsOfGenres,
  type NewestTopicRow,
} from '../../../storage/catalog/shows/newest-topics.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { mixedTopicLine } from '../outlines/show-outlines.ts';
import { genreName } from './item-links.ts';
import { type BrowseRequest, filterOfPage } from './request.ts';
import { orNothing } from './station-list.ts';

const TOPICS_PER_PAGE = 50;
/** New topics are on the first pages; later ones are only old. */
const LAST_OFFSET = 450;

/** The newest topics by genre, cached briefly. */
export class NewestTopics {
  readonly #pages: ReadThrough<NewestTopicRow[]>;

  constructor(db: Queryable) {
    this.#pages = new ReadThrough({ load: (key) => readPage(db, key), most: 1000, ...FED });
  }

  /** A page, plus one more topic if there are more. */
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

/** The newest topics of a genre: one per show, so that no show fills the page. */
export function newestTopicsMenu(
  request: BrowseRequest,
  genre: DirectoryGenre,
  rows: readonly NewestTopicRow[],
): OpmlDocument {
  const { words, offset } = request;
  const lines = rows.slice(0, TOPICS_PER_PAGE).map((row) => mixedTopicLine(row, words.language));
  const next = offset + TOPICS_PER_PAGE;
  if (rows.length > TOPICS_PER_PAGE && next <= LAST_OFFSET) lines.push(moreTopics(request, genre, next));
  const title = `${words.text('menu.topics')} - ${genreName(request, genre)}`;
  return { title, outlines: orNothing(request, lines) };
}

const moreTopics = (request: BrowseRequest, genre: DirectoryGenre, offset: number): Outline =>
  linkOutline(
    request.words.text('browse.moreTopics'),
    {
      ...linkTo('/Browse.ashx', ['offset', `${offset}`], ['id', guideId('g', genre.id)]),
      filter: filterOfPage(request),
    },
    { key: 'nextTopics' },
  );
