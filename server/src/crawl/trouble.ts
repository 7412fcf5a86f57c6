import type { DueFeed, FeedOutcome } from '../catalog/due-feeds.ts';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import { FeedTrouble } from './ask-feed.ts';
import { GONE, dueAfterFailure, isGoneForGood } from './next-due.ts';

/** A host that others are asking is asked soon, and not at the same moment by all. */
const BUSY_SECONDS = 5;
const OFFLINE_SECONDS = 300;
const LONGEST_TROUBLE = 300;

export interface Trouble {
  word: 'busy' | 'offline' | 'gone' | 'refused' | 'failed';
  outcome: FeedOutcome;
}

/** Nobody could be reached: whether the server is at fault is not known. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof FetchFailed && (error.step === 'lookup' || error.step === 'connect');

/**
 * What a failure means for the feed: when it is tried again, and what its operator is told. `isOffline` when nobody else
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
  if (error instanceof NoSeat)
    return {
      word: 'busy',
      outcome: { ...same, ...before, dueInSeconds: BUSY_SECONDS * (1 + chance) },
    };
  if (isOffline && isUnreached(error))
    return {
      word: 'offline',
      outcome: { ...same, ...before, dueInSeconds: OFFLINE_SECONDS * (1 + chance) },
    };
  const { status, retryAfterSeconds } =
    error instanceof FeedTrouble ? error : { status: 0, retryAfterSeconds: 0 };
  const trouble = whyOf(error).slice(0, LONGEST_TROUBLE);
  // Other troubles say nothing of whether it is gone: that is counted from the first time it is said.
  const failures = status === GONE && trouble !== due.trouble ? 1 : Math.min(due.failures + 1, 1000);
  const isGone = isGoneForGood(status, failures);
  const dueInSeconds = dueAfterFailure({
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
