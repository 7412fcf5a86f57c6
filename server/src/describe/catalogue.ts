import { FED } from '../cache/lifetimes.ts';
import { ReadThrough } from '../cache/read-through.ts';
import {
  type BroadcastRow,
  type TitledBroadcastRow,
  listBroadcastsOfShow,
  listBroadcastsOfStation,
} from '../catalog/broadcasts.ts';
import { type CountryRow, listCountries } from '../catalog/places.ts';
import { listShowsOfGenre } from '../catalog/shows.ts';
import { type TopicRow, findTopic } from '../catalog/topics.ts';
import type { Queryable } from '../db/pool.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { ShowFacts } from '../opml/show-outlines.ts';
import { type ShowRow, findShow } from './queries.ts';

export interface Show extends ShowRow {
  /** When and where it is on the air, beginning with what is on now. */
  readonly broadcasts: readonly BroadcastRow[];
}

export interface Topic extends TopicRow {
  readonly show: ShowRow;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** As many as a group holds, and one for the show itself. */
const SIMILAR_SHOWS = 11;

/** What is described but not held in memory; read once for all who ask within a minute. */
export class Catalogue {
  readonly #shows: ReadThrough<Show | undefined>;
  readonly #topics: ReadThrough<Topic | undefined>;
  readonly #onAir: ReadThrough<TitledBroadcastRow[]>;
  readonly #showsOfGenre: ReadThrough<ShowFacts[]>;
  readonly #countries: ReadThrough<CountryRow[]>;

  constructor(db: Queryable, clock: Clock = systemClock) {
    const minutes = { freshMs: MINUTE, lateMs: 5 * MINUTE, staleMs: 6 * HOUR };
    // Descriptions are up to 5,000 characters of a show and 10,000 of a topic, which has its show's too, two bytes each
    // where the script asks for it: 50 MB at most.
    this.#shows = new ReadThrough({
      load: (id) => readShow(db, Number(id), clock.now()),
      most: 2000,
      ...FED,
    });
    this.#topics = new ReadThrough({ load: (id) => readTopic(db, Number(id)), most: 1000, ...FED });
    this.#onAir = new ReadThrough({
      load: (id) => readOnAir(db, Number(id), clock.now()),
      most: 50_000,
      weightOf: (rows) => rows.length,
      // Whoever asks for a station is not kept waiting for its schedule.
      deadlineMs: 250,
      ...minutes,
    });
    this.#showsOfGenre = new ReadThrough({
      load: (key) => readShowsOfGenre(db, key),
      most: 500,
      ...FED,
    });
    this.#countries = new ReadThrough({
      load: () => listCountries(db),
      most: 1,
      freshMs: HOUR,
      staleMs: 7 * 24 * HOUR,
    });
  }

  findShow(id: number): Promise<Show | undefined> {
    return this.#shows.get(String(id));
  }

  findTopic(id: number): Promise<Topic | undefined> {
    return this.#topics.get(String(id));
  }

  /** The most popular that formats play. */
  listShowsOfGenre(id: number, formats: FormatMask): Promise<readonly ShowFacts[]> {
    return this.#showsOfGenre.get(`${id} ${formats}`);
  }

  listCountries(): Promise<readonly CountryRow[]> {
    return this.#countries.get('all');
  }

  /** A station's schedule; nothing while the database is away, since the station itself is known all the same. */
  async listOnAir(stationId: number): Promise<readonly TitledBroadcastRow[]> {
    try {
      return await this.#onAir.get(String(stationId));
    } catch (error) {
      if (error instanceof Fault) return [];
      throw error;
    }
  }
}

async function readShow(db: Queryable, id: number, from: Temporal.Instant): Promise<Show | undefined> {
  const show = await findShow(db, id);
  if (!show) return undefined;
  return { ...show, broadcasts: await listBroadcastsOfShow(db, id, { from, limit: 20 }) };
}

/** What a station sends now and in the 36 hours after, in order. */
const readOnAir = (db: Queryable, id: number, from: Temporal.Instant): Promise<TitledBroadcastRow[]> =>
  listBroadcastsOfStation(db, id, { from, until: from.add({ hours: 36 }) });

/** A topic of a show that is not listed is not here either. */
async function readTopic(db: Queryable, id: number): Promise<Topic | undefined> {
  const topic = await findTopic(db, id);
  const show = topic && (await findShow(db, topic.show_id));
  return show && { ...topic, show };
}

async function readShowsOfGenre(db: Queryable, key: string): Promise<ShowFacts[]> {
  const [genreId = 0, formats] = key.split(' ').map(Number);
  const rows = await listShowsOfGenre(db, genreId, { offset: 0, limit: SIMILAR_SHOWS, formats });
  return rows.map(({ id, title, hosts }) => ({ id, title, subtext: hosts ?? title, genreId }));
}
