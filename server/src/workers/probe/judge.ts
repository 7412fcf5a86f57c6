import type { Verdict } from '../../lib/failure-code.ts';
import { FetchFailed } from '../../net/fetch/fetch-failed.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import { codeOf } from '../../net/tuner/failure.ts';
import type { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import type { DueStream, Reschedule } from '../../storage/catalog/streams/due-streams.ts';
import { type Evidence, WEIGHTS } from '../../storage/catalog/streams/reliability.ts';
import type { StreamCheck } from '../../storage/catalog/streams/stream-checks.ts';
import { failedSteps, type Probed } from './probe-stream.ts';

/** A host that other workers are busy with is retried soon, but not by all of them at the same moment. */
const BUSY_SECONDS = 4;
const OFFLINE_SECONDS = 300;
const MAX_FAILURES = 1000;

/** The time of the probe, and a random number between 0 and 1. */
interface Moment {
  nowMs: number;
  chance: number;
}

/** The row to write for a stream that was probed. */
export function checkOf(due: DueStream, probed: Probed, { nowMs, chance }: Moment): StreamCheck {
  const { verdict, facts, steps, retryAfterSeconds } = probed;
  const failures = verdict === 'plays' ? 0 : Math.min(due.failures + 1, MAX_FAILURES);
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

export interface Inconclusive {
  word: 'waits' | 'offline';
  reschedule: Reschedule;
}

/** Input for the time of the next try. */
export interface Again {
  /** Between 0 and 1. */
  chance: number;
  /** Minimum time between two probes of a stream. */
  restSeconds: number;
}

/** The row for a stream that could not be probed for reasons on our side: only the time of the next try. */
export function inconclusive(
  due: DueStream,
  failed: TuneInFailed,
  { chance, restSeconds }: Again,
): Inconclusive {
  const word = failed.cause instanceof HostBusy ? 'waits' : 'offline';
  // The host of its playlist was contacted, and must not be contacted again and again until the next host has capacity.
  const busySeconds = hasReached(failed) ? restSeconds : BUSY_SECONDS;
  const seconds = word === 'waits' ? busySeconds : OFFLINE_SECONDS;
  return { word, reschedule: { due, dueInSeconds: seconds * (1 + chance) } };
}

/** Whether any server on the way answered, such as that of the playlist or the redirect. */
const hasReached = ({ steps }: TuneInFailed): boolean => steps.some(({ what }) => what === 'connect');

/** Answers from a live machine: the name server, or the one at the address. An invalid name needs no answer. */
const ANSWERS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNRESET']);

/** Whether nothing answered at all, so that our own uplink may be down. */
export function isUnreached(failed: TuneInFailed): boolean {
  const { cause } = failed;
  // Its playlist or its redirect came over the same uplink.
  if (hasReached(failed)) return false;
  if (!(cause instanceof FetchFailed) || (cause.step !== 'lookup' && cause.step !== 'connect')) return false;
  const code = codeOf(cause) ?? '';
  // For a look-up it means that our own name server does not run.
  const isAnswer = ANSWERS.has(code) || (code === 'ECONNREFUSED' && cause.step === 'connect');
  return !isAnswer;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MAX_SECONDS = 7 * DAY;
/** For a stream that plays: a popular one is probed every hour, one without listeners once a day. */
const PLAYS = { least: HOUR, most: DAY };
/** A station ten times as popular is probed this many times as often. */
const TIMES_AS_OFTEN = 2 ** 1.5;

/** The first wait after a failure, by verdict; it doubles with each further one. */
const FIRST_WAIT: Readonly<Record<Exclude<Verdict, 'plays'>, number>> = {
  // Most streams that fall silent are back within the hour.
  dead: 15 * MINUTE,
  hls: 15 * MINUTE,
  busy: 30 * MINUTE,
  // Certificates take days to renew, and a server that refuses us means it.
  tls: 3 * HOUR,
  refused: 6 * HOUR,
  geo: DAY,
  codec: DAY,
};
const MAX_WAIT: Readonly<Partial<Record<Verdict, number>>> = { busy: DAY };
/** A stream that was never heard, or not for long, is worth fewer tries: the wait grows by this instead of two. */
const FORGOTTEN_GROWTH = 4;
const FORGOTTEN_SECONDS = 30 * DAY;

export interface ProbeFinding {
  verdict: Verdict;
  popularity: number;
  /** Consecutive failures, including this one. */
  failures: number;
  /** Since it was last heard; Infinity if it never was. */
  silentSeconds: number;
  retryAfterSeconds?: number | undefined;
  /** Random, between 0 and 1: spreads streams that were added together. */
  chance: number;
}

/** Seconds until a stream is probed again. */
export function dueInSeconds(found: ProbeFinding): number {
  const { verdict, popularity, retryAfterSeconds = 0, chance } = found;
  const usual = verdict === 'plays' ? playingSeconds(popularity) : silentWait(verdict, found);
  return Math.round(Math.max(usual * (0.9 + 0.2 * chance), Math.min(retryAfterSeconds, MAX_SECONDS)));
}

const playingSeconds = (popularity: number): number =>
  Math.max(PLAYS.least, PLAYS.most / TIMES_AS_OFTEN ** Math.log10(1 + popularity));

function silentWait(verdict: Exclude<Verdict, 'plays'>, { failures, silentSeconds }: ProbeFinding): number {
  const growth = silentSeconds > FORGOTTEN_SECONDS ? FORGOTTEN_GROWTH : 2;
  const wait = FIRST_WAIT[verdict] * growth ** Math.min(failures - 1, 12);
  return Math.min(wait, MAX_WAIT[verdict] ?? MAX_SECONDS);
}

/** A server that blocks us may let listeners in: they are elsewhere, and fewer at a time. */
const OURS_ALONE = WEIGHTS.silent / 2;

const AGAINST: Readonly<Record<Exclude<Verdict, 'plays'>, number>> = {
  dead: WEIGHTS.silent,
  tls: WEIGHTS.silent,
  codec: WEIGHTS.silent,
  hls: WEIGHTS.silent,
  refused: OURS_ALONE,
  geo: OURS_ALONE,
  busy: OURS_ALONE,
};

/** How much a check counts for or against a stream. */
const evidenceOf = (verdict: Verdict, atMs: number): Evidence =>
  verdict === 'plays'
    ? { isGood: true, weight: WEIGHTS.heard, atMs }
    : { isGood: false, weight: AGAINST[verdict], atMs };
