import type { ShowFacts } from '../../../core/search/show-facts.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import type { FormatMask } from '../../../lib/stream-format.ts';
import { FED, ReadThrough } from '../../../storage/cache/read-through.ts';
import { type CountryRow, listCountries } from '../../../storage/catalog/places/places.ts';
import {
  type BroadcastRow,
  listBroadcastsOfShow,
  listBroadcastsOfStation,
  type TitledBroadcastRow,
} from '../../../storage/catalog/schedules/broadcasts.ts';
import { listShowsOfGenre } from '../../../storage/catalog/shows/shows.ts';
import { findTopic, type TopicRow } from '../../../storage/catalog/shows/topics.ts';
import { listSongs, type SongRow } from '../../../storage/catalog/songs.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { PlayingSong } from './on-air.ts';
import { findDescribedShow, type DescribedShowRow } from './queries.ts';

export interface Show extends DescribedShowRow {
  /** When and where it is on air, beginning with the current broadcast. */
  readonly broadcasts: readonly BroadcastRow[];
}

export interface Topic extends TopicRow {
  readonly show: DescribedShowRow;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** As many as a group shows, plus one for the show itself. */
const SIMILAR_SHOWS = 11;

/** Described items that are not in memory; cached for a minute. */
export class Catalogue {
  readonly #shows: ReadThrough<Show | undefined>;
  readonly #topics: ReadThrough<Topic | undefined>;
  readonly #onAir: ReadThrough<TitledBroadcastRow[]>;
  readonly #showsOfGenre: ReadThrough<ShowFacts[]>;
  readonly #countries: ReadThrough<{ rows: CountryRow[]; reading: number }>;
  #readings = 0;

  constructor(db: Queryable, clock: Clock = systemClock) {
    const minutes = { freshMs: MINUTE, lateMs: 5 * MINUTE, staleMs: 6 * HOUR };
    // Descriptions have up to 5,000 characters for a show and 10,000 for a topic, which includes its show's, at up to
    // two bytes each: 50 MB at most.
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
      // A description of a station does not wait long for its schedule.
      deadlineMs: 250,
      ...minutes,
    });
    this.#showsOfGenre = new ReadThrough({
      load: (key) => readShowsOfGenre(db, key),
      most: 500,
      ...FED,
    });
    this.#countries = new ReadThrough({
      load: async () => ({ rows: await listCountries(db), reading: (this.#readings += 1) }),
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

  /** The most popular ones in these formats. */
  listShowsOfGenre(id: number, formats: FormatMask): Promise<readonly ShowFacts[]> {
    return this.#showsOfGenre.get(`${id} ${formats}`);
  }

  /** With the number of this reading of them. */
  listCountries(): Promise<{ rows: readonly CountryRow[]; reading: number }> {
    return this.#countries.get('all');
  }

  /** A station's schedule; empty while the database is unreachable, since the station itself is still known. */
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
  const show = await findDescribedShow(db, id);
  if (!show) return undefined;
  return { ...show, broadcasts: await listBroadcastsOfShow(db, id, { from, limit: 20 }) };
}

/** What a station has on air now and in the next 36 hours, in order. */
const readOnAir = (db: Queryable, id: number, from: Temporal.Instant): Promise<TitledBroadcastRow[]> =>
  listBroadcastsOfStation(db, id, { from, until: from.add({ hours: 36 }) });

/** Topics of unlisted shows count as gone. */
async function readTopic(db: Queryable, id: number): Promise<Topic | undefined> {
  const topic = await findTopic(db, id);
  const show = topic && (await findDescribedShow(db, topic.show_id));
  return show && { ...topic, show };
}

async function readShowsOfGenre(db: Queryable, key: string): Promise<ShowFacts[]> {
  const [genreId = 0, formats] = key.split(' ').map(Number);
  const rows = await listShowsOfGenre(db, genreId, { offset: 0, limit: SIMILAR_SHOWS, formats });
  return rows.map(({ id, title, hosts }) => ({ id, title, subtext: hosts ?? title, genreId }));
}

/** Longer than nearly every song. */
const MAY_STILL_PLAY = { minutes: 10 };
const FRESH_MS = 15_000;
/** The longest to wait for a song that may already be over. */
const DEADLINE_MS = 250;

/** The songs last heard, for stations without newer information, such as after a restart. */
export class LastSongs {
  readonly #read: ReadThrough<SongRow | undefined>;

  constructor(db: Queryable) {
    this.#read = new ReadThrough({
      load: async (id) => (await listSongs(db, Number(id), 1))[0],
      most: 5000,
      freshMs: FRESH_MS,
      staleMs: FRESH_MS,
      deadlineMs: DEADLINE_MS,
    });
  }

  /** A song that may still be playing; undefined while the database is unreachable. */
  async find(stationId: number, now: Temporal.Instant): Promise<PlayingSong | undefined> {
    const last = await this.#read.get(String(stationId)).catch(nothingUnlessWrong);
    if (!last || Temporal.Instant.compare(last.started_at, now.subtract(MAY_STILL_PLAY)) < 0)
      return undefined;
    const { title, artist, album } = last;
    return { title, artist: artist ?? undefined, album: album ?? undefined };
  }
}

function nothingUnlessWrong(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}
