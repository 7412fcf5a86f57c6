import type { Song } from '../playing/song.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A server writes down the next song a moment after it began. */
const AFTER_END_MS = 1.5 * SECOND;
const SOONEST_MS = 5 * SECOND;
/** Somebody may cut a song short. */
const LATEST_MS = MINUTE;

/**
 * Callers are told to ask again after half a minute; with what a poll takes, and what hosts share, a new song is there by
 * then.
 */
export const LONGEST_MS = 22 * SECOND;
const SHORTEST_MS = 15 * SECOND;
/** Few songs are over sooner, and few last longer; what stays longer is no song but a show or a slogan. */
const YOUNG_MS = 2 * MINUTE;
const OLD_MS = 10 * MINUTE;

/** When a station that plays this is asked again. */
export function songDueInMs({ startedAt, endsAt }: Song, now: number): number {
  const left = endsAt === undefined ? -Infinity : endsAt - now + AFTER_END_MS;
  if (left > 0) return Math.min(Math.max(left, SOONEST_MS), LATEST_MS);
  // It was said to be over by now: the next one is about to be told.
  if (left > -MINUTE) return SOONEST_MS;
  const age = now - startedAt;
  return age < YOUNG_MS || age > OLD_MS ? LONGEST_MS : SHORTEST_MS;
}

/** A station that names its songs, and none now. */
export const SILENT_MS = LONGEST_MS;
/** A station that never names any. */
export const NEVER_MS = 10 * MINUTE;

const FIRST_PAUSE_MS = 10 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

/** When a station is asked again that did not answer so many times; as late as it wishes, within reason. */
export function failureDueInMs(failures: number, retryAfterSeconds = 0): number {
  const pause = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10);
  return Math.min(Math.max(pause, retryAfterSeconds * SECOND), LONGEST_PAUSE_MS);
}

/** Too much was asked of its host, or of this machine: it is not the station's fault. */
export const waitDueInMs = (chance: () => number): number => SOONEST_MS * (1 + chance());
