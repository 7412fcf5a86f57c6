import type { Pool } from 'pg';
import { isSameSong, type Song, type SongKeeper, type StationSong } from '../../core/now-playing/song.ts';
import {
  type DueStation,
  type PlayingStore,
  StoreAway,
  type StationUpdate,
} from '../../core/now-playing/store.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Log } from '../../lib/log.ts';
import { StepDeadline } from '../../net/fetch/step-deadline.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { pruneSongs } from '../../storage/catalog/songs.ts';
import { listStreamsToHear, type StreamToHear } from '../../storage/catalog/streams/streams.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { DueJob } from '../runner/due-job.ts';
import { Batcher } from '../runner/batcher.ts';
import type { TimedJob } from '../runner/timed.ts';
import { Hearing } from './hearing.ts';
import { KnownStreams } from './known-streams.ts';
import { learn, learnFromFailure, type Learnt, whenNoStreamSpeaks } from './learn.ts';

interface NowPlayingDeps extends SongPublisherDeps {
  db: Queryable;
  fetcher: SafeFetcher;
  clock: Clock;
  chance: () => number;
}

/** A due station, with the streams it can be heard by. */
export interface DuePoll extends DueStation {
  readonly streams: readonly StreamToHear[];
}

/** The deadline of one poll. */
const POLL_MS = 20_000;
/** When a poller dies, its stations are polled by others after this time. */
const LEASE_MS = 30_000;

/** Polls the stations that listeners ask about for their songs, each by one poller of the whole fleet. */
export function nowPlayingJob(
  deps: NowPlayingDeps,
  { concurrency, leaseMs = LEASE_MS }: { concurrency: number; leaseMs?: number | undefined },
): DueJob<DuePoll> {
  const { clock, chance } = deps;
  const known = new KnownStreams();
  const hearing = new Hearing(deps.fetcher);
  const publisher = new SongPublisher(deps);
  const poll = async (due: DuePoll, cut: AbortSignal): Promise<Learnt> => {
    const stream = known.choose(due.streams);
    if (!stream) {
      known.askAgain(due.streams);
      return whenNoStreamSpeaks(due);
    }
    const knownStream = known.of(stream);
    using deadline = new StepDeadline('whole', POLL_MS, cut);
    try {
      const heard = await hearing.hear(stream, knownStream, deadline.signal);
      return learn(heard, knownStream, due, clock.now().epochMilliseconds);
    } catch (error) {
      return learnFromFailure(error, knownStream, due, chance);
    }
  };
  return {
    name: 'now-playing',
    concurrency,
    idOf: ({ stationId }) => guideId('s', stationId),
    claim: (most) => claim(deps, most, leaseMs),
    async work(due, { cut }) {
      const { given, outcome } = await poll(due, cut);
      await publisher.publish(given, due.song);
      return outcome;
    },
  };
}

/** None while the store is unavailable: it logs that itself, and any moment is as good to try again. */
async function claim({ store, db }: NowPlayingDeps, most: number, leaseMs: number): Promise<DuePoll[]> {
  const due = await store.claimDue(most, leaseMs).catch(noneIfUnavailable);
  if (due.length === 0) return [];
  const streams = await listStreamsToHear(
    db,
    due.map(({ stationId }) => stationId),
  );
  return due.map((station) => ({ ...station, streams: streams.get(station.stationId) ?? [] }));
}

/** The store logs that itself. What is lost is learnt again once it is back. */
function noneIfUnavailable(error: unknown): DueStation[] {
  if (error instanceof StoreAway) return [];
  throw error;
}

interface SongPublisherDeps {
  store: PlayingStore;
  log: Log;
  /** Saves songs permanently, where that is enabled. */
  keep?: SongKeeper | undefined;
}

/** Publishes what was learnt in batches: everything to the store, new songs to the song keeper. */
class SongPublisher {
  readonly #log: Log;
  readonly #updates: Batcher<StationUpdate, true>;
  readonly #keeps: Batcher<StationSong, true> | undefined;
  #isKeeping = true;

  constructor({ store, log, keep }: SongPublisherDeps) {
    this.#log = log;
    this.#updates = new Batcher(async (given) => {
      await store.publish(given).catch(noneIfUnavailable);
      return given.map(() => true);
    });
    this.#keeps = keep && new Batcher((songs) => this.#keep(songs, keep));
  }

  async publish(given: StationUpdate, before: Song | undefined): Promise<void> {
    const { stationId, heard } = given;
    const isNew = typeof heard === 'object' && !isSameSong(heard, before);
    await Promise.all([this.#updates.add(given), isNew && this.#keeps?.add({ stationId, song: heard })]);
  }

  /** Songs that cannot be saved are lost, but still shown to listeners; the failure is logged once. */
  async #keep(songs: readonly StationSong[], keep: SongKeeper): Promise<true[]> {
    try {
      await keep(songs);
      this.#isKeeping = true;
    } catch (err) {
      if (this.#isKeeping)
        this.#log.warn({ err }, 'could not save songs; listeners still see what plays now');
      this.#isKeeping = false;
    }
    return songs.map(() => true as const);
  }
}

/** Daily: deletes old songs of stations of which nothing has been heard since. */
export const purgeSongsJob = ({ pool }: { pool: Pool }): TimedJob => ({
  name: 'forget-songs',
  at: '43 4 * * *',
  async work(signal) {
    await pruneSongs(pool, systemClock.now(), signal);
    return 'done';
  },
});
