import { isSameSong, type Song } from '../../core/now-playing/song.ts';
import type { DueStation, StationUpdate } from '../../core/now-playing/store.ts';
import { FetchFailed, UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import { type PollOutcome, songFrom } from './hearing.ts';
import type { KnownStream } from './known-streams.ts';

/** The outcome of one poll: for listeners, and in one word for the metrics. */
export interface Learnt {
  given: StationUpdate;
  outcome: string;
}

/** A stream that has named no song in this many polls, and none before, never will. */
const MUTE_AFTER = 4;
/** Delay before the station's next stream is tried. */
const NEXT_STREAM_MS = 1000;

export function learn(heard: PollOutcome | 'late', known: KnownStream, due: DueStation, now: number): Learnt {
  const { stationId } = due;
  if (heard === 'late') return failed(known, stationId);
  known.failures = 0;
  if (heard === 'mute') {
    known.isMute = true;
    return { given: { stationId, heard: 'unheard', dueInMs: NEXT_STREAM_MS }, outcome: 'mute' };
  }
  if (heard === 'nothing') return silent(known, stationId);
  const song = songFrom(heard, due.song, now);
  known.silences = Number.NEGATIVE_INFINITY;
  const outcome = isSameSong(song, due.song) ? 'same' : 'new';
  return { given: { stationId, heard: song, dueInMs: songDueInMs(song, now) }, outcome };
}

function silent(known: KnownStream, stationId: number): Learnt {
  known.silences += 1;
  known.isMute = known.silences >= MUTE_AFTER;
  return { given: { stationId, heard: 'nothing', dueInMs: SILENT_MS }, outcome: 'nothing' };
}

export const whenNoStreamSpeaks = ({ stationId }: DueStation): Learnt => ({
  given: { stationId, heard: 'nothing', dueInMs: NEVER_MS },
  outcome: 'mute',
});

function failed(known: KnownStream, stationId: number, retryAfterSeconds?: number): Learnt {
  known.failures += 1;
  const dueInMs = failureDueInMs(known.failures, retryAfterSeconds);
  return { given: { stationId, heard: 'unheard', dueInMs }, outcome: 'unheard' };
}

/** Anything that is neither the station's fault nor ours is a bug, and is rethrown. */
export function learnFromFailure(
  error: unknown,
  known: KnownStream,
  { stationId }: DueStation,
  chance: () => number,
): Learnt {
  const isOurs = error instanceof HostBusy || (error instanceof TuneInFailed && error.isOurs);
  if (isOurs)
    return { given: { stationId, heard: 'unheard', dueInMs: waitDueInMs(chance) }, outcome: 'put off' };
  if (error instanceof TuneInFailed) return failed(known, stationId, error.retryAfterSeconds);
  if (error instanceof FetchFailed || error instanceof UnsafeAddress) return failed(known, stationId);
  throw error;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A server publishes the next song a moment after it began. */
const AFTER_END_MS = 1.5 * SECOND;
const SOONEST_MS = 5 * SECOND;
/** A song may be cut short. */
const LATEST_MS = MINUTE;

/**
 * Clients are told to ask again after half a minute. Including the time of a poll and the wait for a host, a new song
 * is known by then.
 */
export const MAX_MS = 22 * SECOND;
const MIN_MS = 15 * SECOND;
/** Few songs end sooner, and few last longer; a title that stays longer is a show or a slogan. */
const YOUNG_MS = 2 * MINUTE;
const OLD_MS = 10 * MINUTE;

/** When to poll a station again that plays this song. */
export function songDueInMs({ startedAt, endsAt }: Song, now: number): number {
  const left = endsAt === undefined ? -Infinity : endsAt - now + AFTER_END_MS;
  if (left > 0) return Math.min(Math.max(left, SOONEST_MS), LATEST_MS);
  // It should be over by now: the next one is about to be published.
  if (left > -MINUTE) return SOONEST_MS;
  const age = now - startedAt;
  return age < YOUNG_MS || age > OLD_MS ? MAX_MS : MIN_MS;
}

/** For a station that names its songs, but none now. */
const SILENT_MS = MAX_MS;
/** For a station that never names any. */
const NEVER_MS = 10 * MINUTE;

const FIRST_PAUSE_MS = 10 * SECOND;
const MAX_PAUSE_MS = 5 * MINUTE;

/** When to poll a station again after this many failures; as late as it asks, within reason. */
export function failureDueInMs(failures: number, retryAfterSeconds = 0): number {
  const pause = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10);
  return Math.min(Math.max(pause, retryAfterSeconds * SECOND), MAX_PAUSE_MS);
}

/** The limit of its host, or of this machine, was reached: not the station's fault. */
export const waitDueInMs = (chance: () => number): number => SOONEST_MS * (1 + chance());
