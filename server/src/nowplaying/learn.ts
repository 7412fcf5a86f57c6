import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';
import { isSameSong } from '../playing/song.ts';
import type { DueStation, Told } from '../playing/store.ts';
import { TuneInFailed } from '../tuner/tune-in-failed.ts';
import { NEVER_MS, SILENT_MS, failureDueInMs, songDueInMs, waitDueInMs } from './cadence.ts';
import { type Heard, songFrom } from './heard.ts';
import type { KnownStream } from './known-streams.ts';

/** What one poll came to: for the listeners, and in a word for the count. */
export interface Learnt {
  told: Told;
  outcome: string;
}

/** A stream that named no song so many times, and none before, never will. */
const MUTE_AFTER = 4;
/** The next stream of the station is tried so soon. */
const NEXT_STREAM_MS = 1000;

export function learn(heard: Heard | 'late', known: KnownStream, due: DueStation, now: number): Learnt {
  const { stationId } = due;
  if (heard === 'late') return failed(known, stationId);
  known.failures = 0;
  if (heard === 'mute') {
    known.isMute = true;
    return { told: { stationId, heard: 'unheard', dueInMs: NEXT_STREAM_MS }, outcome: 'mute' };
  }
  if (heard === 'nothing') return silent(known, stationId);
  const song = songFrom(heard, due.song, now);
  known.silences = Number.NEGATIVE_INFINITY;
  const outcome = isSameSong(song, due.song) ? 'same' : 'new';
  return { told: { stationId, heard: song, dueInMs: songDueInMs(song, now) }, outcome };
}

function silent(known: KnownStream, stationId: number): Learnt {
  known.silences += 1;
  known.isMute = known.silences >= MUTE_AFTER;
  return { told: { stationId, heard: 'nothing', dueInMs: SILENT_MS }, outcome: 'nothing' };
}

export const whenNoStreamSpeaks = ({ stationId }: DueStation): Learnt => ({
  told: { stationId, heard: 'nothing', dueInMs: NEVER_MS },
  outcome: 'mute',
});

function failed(known: KnownStream, stationId: number, retryAfterSeconds?: number): Learnt {
  known.failures += 1;
  const dueInMs = failureDueInMs(known.failures, retryAfterSeconds);
  return { told: { stationId, heard: 'unheard', dueInMs }, outcome: 'unheard' };
}

/** Whatever is not the station's fault or ours is a mistake in the program, and thrown on. */
export function learnFromFailure(
  error: unknown,
  known: KnownStream,
  { stationId }: DueStation,
  chance: () => number,
): Learnt {
  const isOurs = error instanceof NoSeat || (error instanceof TuneInFailed && error.isOurs);
  if (isOurs)
    return { told: { stationId, heard: 'unheard', dueInMs: waitDueInMs(chance) }, outcome: 'put off' };
  if (error instanceof TuneInFailed) return failed(known, stationId, error.retryAfterSeconds);
  if (error instanceof FetchFailed || error instanceof UnsafeAddress) return failed(known, stationId);
  throw error;
}
