import { type StreamToHear, listStreamsToHear } from '../catalog/streams-to-hear.ts';
import type { Queryable } from '../db/pool.ts';
import type { DueJob } from '../jobs/due-job.ts';
import type { Clock } from '../lib/clock.ts';
import { Deadline } from '../lib/fetch-safely/deadline.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Log } from '../lib/log.ts';
import type { SongKeeper } from '../playing/song.ts';
import { type DueStation, type PlayingStore, StoreAway } from '../playing/store.ts';
import { Hearing } from './hearing.ts';
import { KnownStreams } from './known-streams.ts';
import { type Learnt, learn, learnFromFailure, whenNoStreamSpeaks } from './learn.ts';
import { Telling } from './telling.ts';

export interface NowPlayingNeeds {
  store: PlayingStore;
  db: Queryable;
  fetcher: SafeFetcher;
  clock: Clock;
  log: Log;
  chance: () => number;
  /** Writes songs down for good, where anybody does. */
  keep?: SongKeeper | undefined;
}

/** A station whose turn it is, with the streams it may be heard by. */
export interface DuePoll extends DueStation {
  readonly streams: readonly StreamToHear[];
}

/** Whoever takes longer is not waited for. */
const POLL_MS = 20_000;
/** The stations of a poller that has died are asked by others so much later. */
const LEASE_MS = 30_000;

/** Asks the stations that listeners ask about what they play, each by one poller of the whole fleet. */
export function nowPlayingJob(
  needs: NowPlayingNeeds,
  { atOnce, leaseMs = LEASE_MS }: { atOnce: number; leaseMs?: number | undefined },
): DueJob<DuePoll> {
  const { clock, chance } = needs;
  const known = new KnownStreams();
  const hearing = new Hearing(needs.fetcher);
  const telling = new Telling(needs);
  const poll = async (due: DuePoll, cut: AbortSignal): Promise<Learnt> => {
    const stream = known.choose(due.streams);
    if (!stream) {
      known.askAgain(due.streams);
      return whenNoStreamSpeaks(due);
    }
    const knownStream = known.of(stream);
    using deadline = new Deadline('whole', POLL_MS, cut);
    try {
      const heard = await hearing.hear(stream, knownStream, deadline.signal);
      return learn(heard, knownStream, due, clock.now().epochMilliseconds);
    } catch (error) {
      return learnFromFailure(error, knownStream, due, chance);
    }
  };
  return {
    name: 'now-playing',
    atOnce,
    idOf: ({ stationId }) => guideId('s', stationId),
    claim: (most) => claim(needs, most, leaseMs),
    async work(due, { cut }) {
      const { told, outcome } = await poll(due, cut);
      await telling.tell(told, due.song);
      return outcome;
    },
  };
}

/** Nobody while the store is away: it says so itself, and every moment is as good to ask again. */
async function claim({ store, db }: NowPlayingNeeds, most: number, leaseMs: number): Promise<DuePoll[]> {
  const due = await store.claimDue(most, leaseMs).catch(unlessAway);
  if (due.length === 0) return [];
  const streams = await listStreamsToHear(
    db,
    due.map(({ stationId }) => stationId),
  );
  return due.map((station) => ({ ...station, streams: streams.get(station.stationId) ?? [] }));
}

function unlessAway(error: unknown): DueStation[] {
  if (error instanceof StoreAway) return [];
  throw error;
}
