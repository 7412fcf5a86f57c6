import { FED } from '../cache/lifetimes.ts';
import { ReadThrough } from '../cache/read-through.ts';
import { type BroadcastRow, listBroadcastsOfShow } from '../catalog/broadcasts.ts';
import { findShow, type ShowRow } from '../catalog/shows.ts';
import { findTopic, listTopicsOfShow, type ListedTopicRow } from '../catalog/topics.ts';
import type { Queryable } from '../db/pool.ts';
import { type Clock, systemClock } from '../lib/clock.ts';

export interface KnownShow {
  show: ShowRow;
  /** The newest first; one more than is shown, so that it is known whether there are more. */
  topics: readonly ListedTopicRow[];
  /** On air when it was read, and later. */
  broadcasts: readonly BroadcastRow[];
}

/** About 25 KB on the wire; a Linn reads no more than 400 KB. */
export const TOPICS_SHOWN = 50;
/** A syndicated show runs on hundreds of stations at once; nobody scrolls further. */
const BROADCASTS_READ = 300;
/**
 * Shows and topics as read lately, so that a popular one is read once in half a minute and outlives the database. What
 * is on air is decided by the clock, not by when it was read.
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
  return show?.listed ? { show, topics, broadcasts } : undefined;
}

/** What belongs to a show that is not listed is not there either. The description is not kept: nobody hears it. */
async function readTopic(db: Queryable, id: number): Promise<ListedTopicRow | undefined> {
  const topic = await findTopic(db, id);
  const show = topic && (await findShow(db, topic.show_id));
  if (!topic || !show?.listed) return undefined;
  const { description: _unheard, ...listed } = topic;
  return listed;
}
