import type { Directory } from '../../core/directory/directory.ts';
import type { Words } from '../../core/i18n/words.ts';
import { parseFeedAddress } from '../../core/accounts/subscriptions/subscription-rows.ts';
import type { Finder } from '../../core/search/finder.ts';
import { questionWords } from '../../core/search/question.ts';
import { guideId } from '../../lib/guide-id.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { listShowFeeds, listShowsOfFeeds } from '../../storage/catalog/shows/show-feeds.ts';
import {
  idsOfGenresWithShows,
  listShows,
  listShowsOfGenres,
  type ShowRow,
} from '../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../storage/db/pool.ts';

export interface DirectoryDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  finder: Finder;
}

/** A show with the feed by which an app subscribes to it. */
export interface Podcast extends ShowRow {
  feed: string;
}

const MAX_PODCASTS = 100;
const MAX_FOUND = 50;

/** What the directory offers to apps: shows that have a feed. */
export class Podcasts {
  readonly #deps: DirectoryDeps;
  /** By the ids of genres. */
  readonly #top: ReadThrough<Podcast[]>;
  readonly #genres: ReadThrough<number[]>;

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    const kept = { freshMs: 60_000, staleMs: 3_600_000 };
    this.#top = new ReadThrough({
      // More than asked for, since some shows have no feed.
      load: async (genres) => {
        const ids = genres.split(' ').map(Number);
        const range = { offset: 0, limit: 2 * MAX_PODCASTS };
        return withFeeds(deps.db, await listShowsOfGenres(deps.db, ids, range));
      },
      most: 200,
      ...kept,
    });
    this.#genres = new ReadThrough({ load: () => idsOfGenresWithShows(deps.db), most: 1, ...kept });
  }

  /** The most popular first. */
  async top(count: number): Promise<Podcast[]> {
    const ids = await this.#genres.get('');
    return ids.length === 0 ? [] : (await this.#top.get(ids.join(' '))).slice(0, count);
  }

  /** Genres that have shows, by the names of the directory. */
  async tags(count: number, words: Words): Promise<{ title: string; tag: string; usage: number }[]> {
    const { genreById } = this.#deps.directory.current();
    const ids = await this.#genres.get('');
    const genres = ids.flatMap((id) => genreById.get(id) ?? []);
    // How many shows one has nobody counts; apps show them in the order of the answer.
    return genres
      .slice(0, count)
      .map(({ slug, name }) => ({ title: words.genreName(slug, name), tag: slug, usage: 1 }));
  }

  /** Undefined where there is no such genre. */
  async ofTag(tag: string, count: number): Promise<Podcast[] | undefined> {
    const { genreById } = this.#deps.directory.current();
    const genre = [...genreById.values()].find(({ slug }) => slug === tag.toLowerCase());
    return genre && (await this.#top.get(String(genre.id))).slice(0, count);
  }

  async search(text: string): Promise<Podcast[]> {
    const { db, finder } = this.#deps;
    const question = { words: questionWords(text), fields: [] };
    const { shows } = await finder.find({ ...question, kinds: 'p', enough: MAX_FOUND, shows: MAX_FOUND });
    const ids = shows.map(({ show }) => show.id);
    if (ids.length === 0) return [];
    const found = new Map(
      (await withFeeds(db, await listShows(db, ids))).map((podcast) => [podcast.id, podcast]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async ofFeed(address: string): Promise<Podcast | undefined> {
    const { db } = this.#deps;
    const feed = parseFeedAddress(address);
    const [show] = feed ? await listShowsOfFeeds(db, [feed.key]) : [];
    return show && (await withFeeds(db, await listShows(db, [show.id])))[0];
  }
}

async function withFeeds(db: Queryable, shows: readonly ShowRow[]): Promise<Podcast[]> {
  const ids = shows.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await listShowFeeds(db, ids);
  const feeds = new Map(rows.map(({ id, feed_address: address }) => [id, address]));
  return shows.flatMap((show) => {
    const feed = feeds.get(show.id);
    return show.listed && typeof feed === 'string' ? { ...show, feed } : [];
  });
}

/** As the protocol's directory shows a podcast. */
export function writePodcast(
  { id, title, description, hosts, homepage, popularity, feed }: Podcast,
  origin: string,
): object {
  const logo = `${origin}/logos/${guideId('p', id)}`;
  return {
    url: feed,
    title,
    description: description ?? '',
    author: hosts ?? '',
    subscribers: popularity,
    subscribers_last_week: popularity,
    logo_url: `${logo}q.png`,
    scaled_logo_url: `${logo}q.png`,
    website: homepage ?? '',
    mygpo_link: `${origin}/listen/show/${guideId('p', id)}`,
  };
}
