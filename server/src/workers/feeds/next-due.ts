import { cutAt } from '../../lib/search-words.ts';
import { storable } from '../../lib/storable-text.ts';
import { FetchFailed } from '../../net/fetch/fetch-failed.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import type { DueFeed, FeedOutcome } from '../../storage/catalog/feeds/feeds.ts';
import { FeedTrouble } from './ask-feed.ts';

const DAY = 24 * 3600;
/** A feed may ask for long pauses, but a mistaken header must not silence it for a year. */
const MAX_ASKED_SECONDS = DAY;
const MAX_WAIT_SECONDS = 7 * DAY;
const GONE = 410;
/** How many 410s in a row are believed; a server in trouble sends them too. */
const GONE_TIMES = 3;

interface DueFacts {
  intervalSeconds: number;
  /** The minimum interval requested by the feed (`ttl`) and its server (`Cache-Control`). */
  askedSeconds?: number | undefined;
  /** Random, between 0 and 1: spreads feeds that were added together. */
  chance: number;
}

/** Seconds until a feed that was read is due again. */
export function dueAfterReading({ intervalSeconds, askedSeconds = 0, chance }: DueFacts): number {
  const least = Math.min(askedSeconds, MAX_ASKED_SECONDS);
  return Math.round(Math.max(Math.max(intervalSeconds, least) * (0.9 + 0.2 * chance), least));
}

interface FailureFacts {
  intervalSeconds: number;
  /** Consecutive failures, including this one. */
  failures: number;
  retryAfterSeconds?: number | undefined;
  chance: number;
}

/** Seconds until a feed that could not be read is tried again: longer each time, and never before its server allows. */
export function feedDueAfterFailure({
  intervalSeconds,
  failures,
  retryAfterSeconds = 0,
  chance,
}: FailureFacts): number {
  const backedOff = clamp(intervalSeconds * 2 ** Math.min(failures, 12), MIN_SECONDS, MAX_SECONDS);
  return Math.round(
    Math.max(backedOff * (0.9 + 0.2 * chance), Math.min(retryAfterSeconds, MAX_WAIT_SECONDS)),
  );
}

/** Whether a 410 is to be believed. */
export const isGoneForGood = (status: number, failures: number): boolean =>
  status === GONE && failures >= GONE_TIMES;

/** A host that other workers are busy with is retried soon, but not by all of them at the same moment. */
const BUSY_SECONDS = 5;
const OFFLINE_SECONDS = 300;
const MAX_TROUBLE_LENGTH = 300;

interface Trouble {
  word: 'busy' | 'offline' | 'gone' | 'refused' | 'failed';
  outcome: FeedOutcome;
}

/** No server answered: whether it or we are at fault is unknown. */
export const isFeedUnreached = (error: unknown): boolean =>
  error instanceof FetchFailed && (error.step === 'lookup' || error.step === 'connect');

/**
 * What a failure means for the feed: when to try again, and what to show its operator. `isOffline` when no other feed
 * can be reached either: then the fault is ours, and the feed has not failed.
 */
export function troubleOf(error: unknown, due: DueFeed, chance: number, isOffline = false): Trouble {
  const kept = { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  const same = {
    showId: due.show_id,
    claimedAt: due.claimed_at,
    intervalSeconds: due.interval_seconds,
    ...kept,
  };
  const before = { failures: due.failures, trouble: due.trouble ?? undefined };
  if (error instanceof HostBusy)
    return {
      word: 'busy',
      outcome: { ...same, ...before, dueInSeconds: BUSY_SECONDS * (1 + chance) },
    };
  if (isOffline && isFeedUnreached(error))
    return {
      word: 'offline',
      outcome: { ...same, ...before, dueInSeconds: OFFLINE_SECONDS * (1 + chance) },
    };
  const { status, retryAfterSeconds } =
    error instanceof FeedTrouble ? error : { status: 0, retryAfterSeconds: 0 };
  const trouble = cutAt(storable(whyOf(error)), MAX_TROUBLE_LENGTH);
  // Other failures do not show that it is gone: 410s are counted from the first one.
  const failures = status === GONE && trouble !== due.trouble ? 1 : Math.min(due.failures + 1, 1000);
  const isGone = isGoneForGood(status, failures);
  const dueInSeconds = feedDueAfterFailure({
    intervalSeconds: due.interval_seconds,
    failures,
    retryAfterSeconds,
    chance,
  });
  return {
    word: isGone ? 'gone' : status === 0 ? 'failed' : 'refused',
    outcome: { ...same, failures, dueInSeconds, trouble, isGone },
  };
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? error.name : error.message;
}

const HOUR = 3600;

/** The limits: no episode needs to be found sooner, and a show that may return is still checked weekly. */
const MIN_SECONDS = 15 * 60;
const MAX_SECONDS = 7 * DAY;
const MAX_LIVE_SHOW_SECONDS = 12 * HOUR;
/** For feeds without dates. */
const UNKNOWN_SECONDS = 6 * HOUR;
/** On average an episode is then found after a sixteenth of the gap between two. */
const PER_GAP = 8;

/**
 * How often a feed is worth reading, by the times of its newest topics (in milliseconds, newest first): eight times
 * per usual gap between two. A show that has been silent for three gaps and a month fades to once a day, then once a
 * week.
 */
export function cadenceSeconds(published: readonly number[], nowMs: number): number {
  const [newest] = published;
  if (newest === undefined) return UNKNOWN_SECONDS;
  const gap = medianGapSeconds(published);
  const silent = Math.max(0, (nowMs - newest) / 1000);
  if (silent > Math.max(3 * gap, 365 * DAY)) return MAX_SECONDS;
  if (silent > Math.max(3 * gap, 30 * DAY)) return DAY;
  return clamp(gap / PER_GAP, MIN_SECONDS, MAX_LIVE_SHOW_SECONDS);
}

/** The median, since half the topics of some feeds come on one day and one comes years later. */
function medianGapSeconds(published: readonly number[]): number {
  const gaps = published.slice(1).map((time, index) => ((published[index] ?? time) - time) / 1000);
  if (gaps.length === 0) return UNKNOWN_SECONDS * PER_GAP;
  return gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0;
}

const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)));
