import type { DueStream, PutBack } from '../catalog/due-streams.ts';
import type { StreamCheck } from '../catalog/stream-checks.ts';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import type { TuneInFailed } from '../tuner/tune-in-failed.ts';
import { codeOf } from '../tuner/why-failed.ts';
import { dueInSeconds } from './next-due.ts';
import { type Probed, failedSteps } from './probe-stream.ts';
import { evidenceOf } from './verdict-evidence.ts';

/** A host that others are asking is asked soon, and not at the same moment by all. */
const BUSY_SECONDS = 4;
const OFFLINE_SECONDS = 300;
const MOST_FAILURES = 1000;

/** When it was, and a number between 0 and 1. */
export interface Moment {
  nowMs: number;
  chance: number;
}

/** What is to be written down of a stream that was listened to. */
export function checkOf(due: DueStream, probed: Probed, { nowMs, chance }: Moment): StreamCheck {
  const { verdict, facts, steps, retryAfterSeconds } = probed;
  const failures = verdict === 'plays' ? 0 : Math.min(due.failures + 1, MOST_FAILURES);
  const heardMs = due.alive_ms ?? -Infinity;
  const silentSeconds = (nowMs - heardMs) / 1000;
  const { popularity } = due;
  return {
    due,
    verdict,
    evidence: evidenceOf(verdict, nowMs),
    facts,
    failures,
    steps,
    dueInSeconds: dueInSeconds({ verdict, popularity, failures, silentSeconds, retryAfterSeconds, chance }),
  };
}

export const probedFailure = (failed: TuneInFailed, address: string): Probed => ({
  verdict: failed.verdict,
  facts: undefined,
  steps: failedSteps(failed, address),
  retryAfterSeconds: failed.retryAfterSeconds,
});

export interface Unjudged {
  word: 'waits' | 'offline';
  putBack: PutBack;
}

/** What goes into when to try again. */
export interface Again {
  /** Between 0 and 1. */
  chance: number;
  /** How long a stream is left alone that was listened to. */
  restSeconds: number;
}

/** Of a stream that could not be listened to for reasons of ours: nothing, but when to try again. */
export function unjudged(due: DueStream, failed: TuneInFailed, { chance, restSeconds }: Again): Unjudged {
  const word = failed.cause instanceof NoSeat ? 'waits' : 'offline';
  // The host of its playlist was asked, and is not to be asked again and again until another has a seat.
  const busySeconds = hasReached(failed) ? restSeconds : BUSY_SECONDS;
  const seconds = word === 'waits' ? busySeconds : OFFLINE_SECONDS;
  return { word, putBack: { due, dueInSeconds: seconds * (1 + chance) } };
}

/** Whether there was somebody on the way, such as who gave the playlist or the redirect. */
const hasReached = ({ steps }: TuneInFailed): boolean => steps.some(({ what }) => what === 'connect');

/** Said by somebody who is there: the name's servers, or the machine at the address. What cannot be a name needs nobody. */
const ANSWERS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNRESET']);

/** Whether nobody said anything at all, so that it may be our line that is down. */
export function isUnreached(failed: TuneInFailed): boolean {
  const { cause } = failed;
  // Its playlist or its redirect came over the same line.
  if (hasReached(failed)) return false;
  if (!(cause instanceof FetchFailed) || (cause.step !== 'lookup' && cause.step !== 'connect')) return false;
  const code = codeOf(cause) ?? '';
  // Of a look-up it says that not even our own name server is there.
  const isAnswer = ANSWERS.has(code) || (code === 'ECONNREFUSED' && cause.step === 'connect');
  return !isAnswer;
}
