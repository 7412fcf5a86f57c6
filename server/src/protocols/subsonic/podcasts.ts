import type { Pool } from 'pg';
import { changeSubscriptions, listSubscriptions } from '../../core/accounts/subscriptions/subscriptions.ts';
import type { SubscriptionRow } from '../../core/accounts/subscriptions/subscription-rows.ts';
import { parseFeedAddress } from '../../core/accounts/subscriptions/subscription-rows.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { listShows, type ShowRow } from '../../storage/catalog/shows/shows.ts';
import { findTopic, type ListedTopicRow, listTopicsOfShow } from '../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { CODES, SubsonicError } from './sign-in.ts';
import { episodeNode } from './songs.ts';
import type { ResponseNode } from './write-response.ts';

/** Of one show. */
const MAX_EPISODES = 100;
/** Of one answer; shared among its shows. */
const MAX_LISTED_EPISODES = 2000;
/** Read at a time. */
const CONCURRENCY = 8;

/** Who asks, and when. */
export interface Owner {
  pool: Pool;
  accountId: number;
  now: Temporal.Instant;
}

/** The podcasts of an account: shows among its presets, and feeds that the directory does not have. */
export class Channels {
  readonly #db: Queryable;
  readonly #topics: ReadThrough<ListedTopicRow[]>;

  constructor(db: Queryable) {
    this.#db = db;
    this.#topics = new ReadThrough({
      load: (id) => listTopicsOfShow(db, Number(id), { limit: MAX_EPISODES }),
      most: 20_000,
      weightOf: ({ length }) => length,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  async list(
    owner: Owner,
    { id, hasEpisodes, origin }: { id?: string | undefined; hasEpisodes: boolean; origin: string },
  ): Promise<ResponseNode[]> {
    const { active } = await listSubscriptions(owner.pool, owner.accountId, owner.now);
    const wanted = active.filter((row) => id === undefined || channelId(row) === id);
    if (id !== undefined && wanted.length === 0) throw noSuchPodcast();
    const shows = await this.#shows(wanted);
    const each = Math.max(
      1,
      Math.min(MAX_EPISODES, Math.floor(MAX_LISTED_EPISODES / Math.max(1, wanted.length))),
    );
    return inGroups(wanted, async (row) => {
      const show = shows.get(row.show_id ?? 0);
      if (!show) return unknownChannel(row);
      const episodes = hasEpisodes ? (await this.topicsOf(show.id)).slice(0, each) : [];
      return channelNode(show, row.address, episodes, origin);
    });
  }

  async newest(owner: Owner, count: number): Promise<ResponseNode[]> {
    const { active } = await listSubscriptions(owner.pool, owner.accountId, owner.now);
    const shows = await this.#shows(active);
    const found = await inGroups([...shows.values()], async (show) =>
      (await this.topicsOf(show.id)).slice(0, count).map((topic) => ({ topic, show })),
    );
    return found
      .flat()
      .toSorted((a, b) => Temporal.Instant.compare(b.topic.published_at, a.topic.published_at))
      .slice(0, count)
      .map(({ topic, show }) => episodeNode(topic, albumOf(show)));
  }

  /** The newest first. */
  topicsOf(showId: number): Promise<ListedTopicRow[]> {
    return this.#topics.get(String(showId));
  }

  /** An episode with its show; undefined where there is none. */
  async findEpisode(
    id: string,
  ): Promise<{ topic: ListedTopicRow & { address: string }; show: ShowRow } | undefined> {
    const topic = await findTopic(this.#db, numberOf('t', id) ?? 0);
    const [show] = topic ? await listShows(this.#db, [topic.show_id]) : [];
    return topic && show?.listed ? { topic, show } : undefined;
  }

  async findListedShow(id: string): Promise<ShowRow | undefined> {
    const [show] = await listShows(this.#db, [numberOf('p', id) ?? 0]);
    return show?.listed ? show : undefined;
  }

  async #shows(rows: readonly SubscriptionRow[]): Promise<Map<number, ShowRow>> {
    const ids = rows.flatMap((row) => row.show_id ?? []);
    const shows = ids.length === 0 ? [] : await listShows(this.#db, ids);
    return new Map(shows.filter(({ listed }) => listed).map((show) => [show.id, show]));
  }
}

export async function subscribe({ pool, accountId, now }: Owner, address: string): Promise<void> {
  if (!parseFeedAddress(address))
    throw new SubsonicError(CODES.other, "'url' is the address of a feed, without a password in it");
  await changeSubscriptions(pool, accountId, { add: [address], remove: [], now });
}

export async function unsubscribe({ pool, accountId, now }: Owner, id: string): Promise<void> {
  const { active } = await listSubscriptions(pool, accountId, now);
  const row = active.find((each) => channelId(each) === id);
  if (!row) throw noSuchPodcast();
  await changeSubscriptions(pool, accountId, { add: [], remove: [row.address], now });
}

const noSuchPodcast = (): SubsonicError =>
  new SubsonicError(CODES.notFound, 'You have no such podcast; ask for the list again');

export const albumOf = ({ id, title }: ShowRow) => ({ id: guideId('p', id), name: title });

const channelId = ({ show_id: showId, feed_key: key }: SubscriptionRow): string =>
  showId === null ? `feed-${key}` : guideId('p', showId);

function channelNode(
  show: ShowRow,
  url: string,
  episodes: readonly ListedTopicRow[],
  origin: string,
): ResponseNode {
  const album = albumOf(show);
  return {
    id: album.id,
    url,
    title: show.title,
    description: show.description ?? '',
    coverArt: album.id,
    originalImageUrl: `${origin}/logos/${album.id}g.png`,
    status: 'completed',
    ...(episodes.length > 0 && { episode: episodes.map((topic) => episodeNode(topic, album)) }),
  };
}

const unknownChannel = (row: SubscriptionRow): ResponseNode => ({
  id: channelId(row),
  url: row.address,
  title: URL.parse(row.address)?.host ?? row.address,
  description: 'The directory does not have this podcast; podcast apps that read its feed do',
  status: 'skipped',
});

/** A few at a time, in their order. */
async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += CONCURRENCY)
    done.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(work))));
  return done;
}
