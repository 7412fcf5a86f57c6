import type { Verdict } from '../lib/verdict.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LONGEST_SECONDS = 7 * DAY;
/** Of a stream that plays: a popular one is listened to every hour, one that nobody asks for once a day. */
const PLAYS = { least: HOUR, most: DAY };
/** A station ten times as popular is listened to so many times as often. */
const OFTENER = 2 ** 1.5;

/** First wait after a failure, by what it was; it doubles with each that follows. */
const FIRST_WAIT: Readonly<Record<Exclude<Verdict, 'plays'>, number>> = {
  // Most of what falls silent is back within the hour.
  dead: 15 * MINUTE,
  hls: 15 * MINUTE,
  busy: 30 * MINUTE,
  // Certificates are renewed by the day, and who refuses us means it.
  tls: 3 * HOUR,
  refused: 6 * HOUR,
  geo: DAY,
  codec: DAY,
};
const LONGEST_WAIT: Readonly<Partial<Record<Verdict, number>>> = { busy: DAY };
/** What was never heard, or not for long, is not worth as many tries: the wait grows by this instead of two. */
const FORGOTTEN_GROWTH = 4;
const FORGOTTEN_SECONDS = 30 * DAY;

export interface Found {
  verdict: Verdict;
  popularity: number;
  /** In a row, this one counted in. */
  failures: number;
  /** Since anybody heard it; Infinity where nobody ever did. */
  silentSeconds: number;
  retryAfterSeconds?: number | undefined;
  /** Between 0 and 1; streams that came together do not stay together. */
  chance: number;
}

/** Seconds until a stream is listened to again. */
export function dueInSeconds(found: Found): number {
  const { verdict, popularity, retryAfterSeconds = 0, chance } = found;
  const usual = verdict === 'plays' ? playingSeconds(popularity) : silentWait(verdict, found);
  return Math.round(Math.max(usual * (0.9 + 0.2 * chance), Math.min(retryAfterSeconds, LONGEST_SECONDS)));
}

const playingSeconds = (popularity: number): number =>
  Math.max(PLAYS.least, PLAYS.most / OFTENER ** Math.log10(1 + popularity));

function silentWait(verdict: Exclude<Verdict, 'plays'>, { failures, silentSeconds }: Found): number {
  const growth = silentSeconds > FORGOTTEN_SECONDS ? FORGOTTEN_GROWTH : 2;
  const wait = FIRST_WAIT[verdict] * growth ** Math.min(failures - 1, 12);
  return Math.min(wait, LONGEST_WAIT[verdict] ?? LONGEST_SECONDS);
}
