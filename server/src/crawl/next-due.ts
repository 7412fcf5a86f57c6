import { LONGEST_SECONDS, SHORTEST_SECONDS, clamp } from './cadence.ts';

const DAY = 24 * 3600;
/** A feed may ask to be left alone, but a mistaken header must not silence it for a year. */
const MOST_ASKED_SECONDS = DAY;
const MOST_WAIT_SECONDS = 7 * DAY;
export const GONE = 410;
/** Said so often in a row, gone is gone; a server in trouble says it too. */
const GONE_TIMES = 3;

export interface DueFacts {
  intervalSeconds: number;
  /** What the feed (`ttl`) and its server (`Cache-Control`) ask for. */
  askedSeconds?: number | undefined;
  /** Between 0 and 1; feeds that came together do not stay together. */
  chance: number;
}

/** Seconds until a feed that was read is due again. */
export function dueAfterReading({ intervalSeconds, askedSeconds = 0, chance }: DueFacts): number {
  const least = Math.min(askedSeconds, MOST_ASKED_SECONDS);
  return Math.round(Math.max(Math.max(intervalSeconds, least) * (0.9 + 0.2 * chance), least));
}

export interface FailureFacts {
  intervalSeconds: number;
  /** In a row, this one counted in. */
  failures: number;
  retryAfterSeconds?: number | undefined;
  chance: number;
}

/** Seconds until a feed that could not be read is tried again: longer each time, and never before its server wants. */
export function dueAfterFailure({
  intervalSeconds,
  failures,
  retryAfterSeconds = 0,
  chance,
}: FailureFacts): number {
  const backedOff = clamp(intervalSeconds * 2 ** Math.min(failures, 12), SHORTEST_SECONDS, LONGEST_SECONDS);
  return Math.round(
    Math.max(backedOff * (0.9 + 0.2 * chance), Math.min(retryAfterSeconds, MOST_WAIT_SECONDS)),
  );
}

/** Whether a server that says 410 is to be believed. */
export const isGoneForGood = (status: number, failures: number): boolean =>
  status === GONE && failures >= GONE_TIMES;
