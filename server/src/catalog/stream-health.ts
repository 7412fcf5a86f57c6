import type { Verdict } from '../lib/verdict.ts';

/**
 * How a stream did on a day, by all checks of that day; `mixed` where some heard it and others did not, `unknown` where
 * there were none, or none that got as far as to tell.
 */
export type DayHealth = 'heard' | 'mixed' | 'silent' | 'unknown';

export const HEALTH_DAYS = 30;

/** What keeps us out may let listeners in: of the stream's day it says nothing. */
const KEPT_OUT: ReadonlySet<Verdict> = new Set(['busy', 'geo', 'refused']);

/** Whether a check counts as heard or as silent; undefined where it counts as neither. */
export const isHeardOn = (verdict: Verdict): boolean | undefined =>
  KEPT_OUT.has(verdict) ? undefined : verdict === 'plays';

const BITS_A_DAY = 2n;
const DAY_BITS = 0b11n;
const BY_BITS: readonly DayHealth[] = ['unknown', 'heard', 'silent', 'mixed'];

/**
 * The last thirty days, the oldest first and today last. Each has two bits, 1 for heard and 2 for silent; the lowest pair
 * is that of `day`. `health_after` in the database writes them.
 */
export function healthOf(bits: bigint, day: Temporal.PlainDate, today: Temporal.PlainDate): DayHealth[] {
  const since = day.until(today).days;
  return Array.from({ length: HEALTH_DAYS }, (_, index) => {
    const daysBefore = HEALTH_DAYS - 1 - index - since;
    return daysBefore < 0 || daysBefore >= HEALTH_DAYS ? 'unknown' : healthOn(bits, daysBefore);
  });
}

const healthOn = (bits: bigint, daysBefore: number): DayHealth =>
  BY_BITS[Number((bits >> (BITS_A_DAY * BigInt(daysBefore))) & DAY_BITS)] ?? 'unknown';

/** Checks are counted by the days of UTC, wherever the stream and who asks are. */
export const healthDay = (now: Temporal.Instant): Temporal.PlainDate =>
  now.toZonedDateTimeISO('UTC').toPlainDate();
