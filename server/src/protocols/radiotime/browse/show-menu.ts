import { lineageOf } from '../../../core/directory/snapshot/snapshot.ts';
import { linkTo, type OpmlDocument, type Outline } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { FED, ReadThrough } from '../../../storage/cache/read-through.ts';
import { findShow, type ShowRow } from '../../../storage/catalog/shows/shows.ts';
import { findTopic, type ListedTopicRow, listTopicsOfShow } from '../../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { showOutline, topicLine } from '../outlines/show-outlines.ts';
import { genreLink } from './item-links.ts';
import type { BrowseRequest } from './request.ts';
import type { ShowPages } from './show-pages.ts';
import { orNothing } from './station-list.ts';

const TOPICS_PER_PAGE = 50;

/** Single shows and their topics, cached briefly. */
export class ShowMenus {
  readonly #pages: ShowPages;
  readonly #shows: ReadThrough<ShowRow | undefined>;
  readonly #topics: ReadThrough<ListedTopicRow[]>;

  constructor(db: Queryable, pages: ShowPages) {
    this.#pages = pages;
    this.#shows = new ReadThrough({ load: (id) => readShow(db, Number(id)), most: 5000, ...FED });
    this.#topics = new ReadThrough({ load: (key) => readTopics(db, key), most: 1000, ...FED });
  }

  /** What a show links to: similar shows and its genre. Undefined when there is no such show. */
  async menu(request: BrowseRequest, id: number): Promise<OpmlDocument | undefined> {
    const show = await this.#shows.get(String(id));
    if (!show) return undefined;
    const { details } = request;
    const groups = [
      ...(details.includes('recommendation') ? await this.#similar(request, show) : []),
      ...(details.includes('genre') ? genres(request, show) : []),
    ];
    return { title: show.title, outlines: orNothing(request, groups) };
  }

  /** A show's topics, newest first. `after` is the last topic of the previous page. */
  async topics(request: BrowseRequest, id: number, after = 0): Promise<OpmlDocument | undefined> {
    const show = await this.#shows.get(String(id));
    if (!show) return undefined;
    const { words } = request;
    const rows = await this.#topics.get(`${id} ${after} ${request.stations.formats}`);
    const lines = rows.slice(0, TOPICS_PER_PAGE).map((row) => topicLine(row, words.language));
    const last = rows[TOPICS_PER_PAGE - 1];
    const more = last && rows.length > TOPICS_PER_PAGE ? [moreTopics(request, last)] : [];
    const groups =
      lines.length > 0 ? [groupOutline(words.text('menu.topics'), 'topics', [...lines, ...more])] : [];
    return { title: show.title, outlines: orNothing(request, groups) };
  }

  async #similar(request: BrowseRequest, show: ShowRow): Promise<Outline[]> {
    if (show.genre_id === null) return [];
    const limit = request.showsPerGroup + 1;
    const { formats } = request.stations;
    const { shows } = await this.#pages.get({ genreId: show.genre_id, offset: 0, limit, formats });
    const others = shows.filter(({ id }) => id !== show.id).slice(0, request.showsPerGroup);
    const text = request.words.text('menu.similarShows');
    return others.length > 0 ? [groupOutline(text, 'recommendations', others.map(showOutline))] : [];
  }
}

/** Each genre with its root genre. */
function genres(request: BrowseRequest, { genre_id: genreId }: ShowRow): Outline[] {
  const genre = request.snapshot.genreById.get(genreId ?? Number.NaN);
  if (!genre) return [];
  const link = { ...genreLink(request, genre), key: lineageOf(genre).at(-1)?.slug };
  return [groupOutline(request.words.text('menu.genres'), 'genres', [link])];
}

async function readShow(db: Queryable, id: number): Promise<ShowRow | undefined> {
  const show = await findShow(db, id);
  return show?.listed ? show : undefined;
}

async function readTopics(db: Queryable, key: string): Promise<ListedTopicRow[]> {
  const [showId = 0, after = 0, formats = 0] = key.split(' ').map(Number);
  const last = after === 0 ? undefined : await findTopic(db, after);
  const cursor = last?.show_id === showId ? { after: last } : {};
  return listTopicsOfShow(db, showId, { ...cursor, limit: TOPICS_PER_PAGE + 1, formats });
}

const moreTopics = ({ words }: BrowseRequest, { id, show_id: showId }: ListedTopicRow): Outline =>
  linkOutline(
    words.text('browse.moreTopics'),
    {
      ...linkTo('/Browse.ashx', ['c', 'topics'], ['id', guideId('p', showId)]),
      filter: guideId('t', id),
    },
    { key: 'nextTopics' },
  );
