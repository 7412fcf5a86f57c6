import { type Clock, systemClock } from '../../../lib/clock.ts';
import { FED, ReadThrough } from '../../../storage/cache/read-through.ts';
import { type BroadcastRow, listBroadcastsOfShow } from '../../../storage/catalog/schedules/broadcasts.ts';
import { findShow, type ShowRow } from '../../../storage/catalog/shows/shows.ts';
import { findTopic, type ListedTopicRow, listTopicsOfShow } from '../../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../../storage/db/pool.ts';

export interface KnownShow {
  show: ShowRow;
  /** Newest first; one more than displayed, to know whether there are more. */
  topics: readonly ListedTopicRow[];
  /** On air at the time of reading, and later. */
  broadcasts: readonly BroadcastRow[];
}

/** About 25 KB on the wire; a Linn reads at most 400 KB. */
export const TOPICS_SHOWN = 50;
/** A syndicated show runs on hundreds of stations at the same time; nobody scrolls further. */
const BROADCASTS_READ = 300;
/**
 * Shows and topics, cached so that a popular one is read every half minute and survives a database outage. What is on
 * air is decided by the clock, not by the time of reading.
 */
export class Shows {
  readonly #shows: ReadThrough<KnownShow | undefined>;
  readonly #topics: ReadThrough<ListedTopicRow | undefined>;

  constructor(db: Queryable, clock: Clock = systemClock) {
    this.#shows = new ReadThrough({
      load: (id) => readShow(db, Number(id), clock),
      most: 100_000,
      weightOf,
      ...FED,
    });
    this.#topics = new ReadThrough({ load: (id) => readTopic(db, Number(id)), most: 5000, ...FED });
  }

  find(id: number): Promise<KnownShow | undefined> {
    return this.#shows.get(String(id));
  }

  findTopic(id: number): Promise<ListedTopicRow | undefined> {
    return this.#topics.get(String(id));
  }
}

/** In rows. */
const weightOf = (known: KnownShow | undefined): number =>
  known ? known.topics.length + known.broadcasts.length : 0;

async function readShow(db: Queryable, id: number, clock: Clock): Promise<KnownShow | undefined> {
  const [show, topics, broadcasts] = await Promise.all([
    findShow(db, id),
    listTopicsOfShow(db, id, { limit: TOPICS_SHOWN + 1 }),
    listBroadcastsOfShow(db, id, { from: clock.now(), limit: BROADCASTS_READ }),
  ]);
  if (!show || (!show.listed && broadcasts.length === 0)) return undefined;
  return { show, topics: show.listed ? topics : [], broadcasts };
}

/** Topics of unlisted shows count as gone. Descriptions are not cached: playback does not need them. */
async function readTopic(db: Queryable, id: number): Promise<ListedTopicRow | undefined> {
  const topic = await findTopic(db, id);
  const show = topic && (await findShow(db, topic.show_id));
  if (!topic || !show?.listed) return undefined;
  const { description: _unheard, ...listed } = topic;
  return listed;
}
