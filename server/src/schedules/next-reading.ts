const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A schedule that nobody has read twice yet. */
export const FIRST_INTERVAL = 6 * HOUR;
const [SHORTEST, LONGEST] = [HOUR, DAY];

export interface ReadingNews {
  intervalSeconds: number;
  isNew: boolean;
  /** How long the server says that its answer holds. */
  freshSeconds: number;
  /** How much of what comes is known; undefined where rules go on by themselves. */
  aheadSeconds: number | undefined;
}

/** What changes is asked for sooner, what does not later; and always before what is known runs out. */
export function nextInterval({ intervalSeconds, isNew, freshSeconds, aheadSeconds }: ReadingNews): number {
  const usual = isNew ? intervalSeconds / 2 : intervalSeconds * 1.5;
  const polite = Math.max(usual, freshSeconds);
  return Math.round(clamp(Math.min(polite, (aheadSeconds ?? Number.POSITIVE_INFINITY) / 2)));
}

const clamp = (seconds: number): number => Math.min(Math.max(seconds, SHORTEST), LONGEST);

const FIRST_WAIT = 15 * MINUTE;
const LONGEST_WAIT = DAY;
/** Longer than this nobody is sent away. */
const LONGEST_RETRY_AFTER = 7 * DAY;

/** A quarter of an hour, then twice as long each time, to a day; longer where the server says so. */
export function waitAfterFailure(failures: number, retryAfterSeconds = 0): number {
  const wait = Math.min(FIRST_WAIT * 2 ** Math.min(failures, 20), LONGEST_WAIT);
  return Math.max(wait, Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER));
}
