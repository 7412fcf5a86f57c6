const [HOUR, DAY] = [3600, 86_400];
const AFTER_PICTURE = 30 * DAY;
const LONGEST_WAIT = 30 * DAY;
/** What was no picture a moment ago is none yet. */
const AFTER_REFUSAL = 7 * DAY;
/** A host that others are asking is asked soon, and not at the same moment by all. */
const AFTER_BUSY = 5;

/** Between 0 and 1; what came together does not stay together. */
const uneven = (seconds: number, chance: number): number => Math.round(seconds * (0.9 + 0.2 * chance));

/** Seconds until a picture that was seen is looked at again. */
export const dueAfterPicture = (chance: number): number => uneven(AFTER_PICTURE, chance);

/**
 * The same when its server could not be asked: after an hour at first, twice as long each time, a month at most, and
 * never before the server wants.
 */
export function dueAfterFailure(failures: number, retryAfterSeconds: number, chance: number): number {
  const least = Math.min(retryAfterSeconds, LONGEST_WAIT);
  const usual = Math.min(HOUR * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT);
  return Math.max(uneven(Math.max(usual, least), chance), least);
}

/** When what it gave is no picture that is taken: at first after a week. */
export const dueAfterRefusal = (failures: number, chance: number): number =>
  uneven(Math.min(AFTER_REFUSAL * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT), chance);

export const dueWhenBusy = (chance: number): number => Math.round(AFTER_BUSY * (1 + chance));
