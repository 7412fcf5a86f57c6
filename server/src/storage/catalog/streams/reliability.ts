import type { Verdict } from '../../../lib/failure-code.ts';

/** How likely a stream is to play, 0 to 100, and as of when. */
export interface Standing {
  readonly value: number;
  readonly atMs: number;
}

/** Evidence for or against a stream. */
export interface Evidence {
  readonly isGood: boolean;
  /** From 0, which changes nothing, to 1, which decides it. */
  readonly weight: number;
  readonly atMs: number;
}

/** The value without any evidence. */
export const UNKNOWN_STANDING = 50;
/** Below this a stream comes after all others: it was silent when last probed. */
export const LIKELY_TO_PLAY = 50;

/**
 * One silent probe takes any stream below `LIKELY_TO_PLAY`, one that hears it brings most back above. Three complaints
 * in a row equal one probe; praise counts less, since most listeners who hear a stream report nothing.
 */
export const WEIGHTS = { heard: 0.5, silent: 0.55, complaint: 0.21, praise: 0.05 } as const;

/** Evidence fades: after this long half of it is left. */
const HALF_LIFE_MS = 14 * 86_400_000;

/** The standing as of now; without new evidence every stream drifts back to unknown. */
export function reliabilityAt({ value, atMs }: Standing, nowMs: number): number {
  const kept = 0.5 ** (Math.max(0, nowMs - atMs) / HALF_LIFE_MS);
  return UNKNOWN_STANDING + (value - UNKNOWN_STANDING) * kept;
}

/** The whole history, folded: each piece of evidence moves the standing towards 100 or 0 by its weight. */
export function reliabilityAfter(
  standing: Standing | undefined,
  { isGood, weight, atMs }: Evidence,
): Standing {
  const before = standing ? reliabilityAt(standing, atMs) : UNKNOWN_STANDING;
  const value = before + ((isGood ? 100 : 0) - before) * weight;
  return { value, atMs: Math.max(atMs, standing?.atMs ?? atMs) };
}

/**
 * How a stream did on a day, by all checks of that day; `mixed` when some heard it and others did not, `unknown` when
 * there were none, or none conclusive.
 */
export type DayHealth = 'heard' | 'mixed' | 'silent' | 'unknown';

export const HEALTH_DAYS = 30;

/** A stream that rejects us may accept listeners: these verdicts say nothing about its day. */
const KEPT_OUT: ReadonlySet<Verdict> = new Set(['busy', 'geo', 'refused']);

/** Whether a check counts as heard or as silent; undefined when it counts as neither. */
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

/** Checks are counted by UTC days, wherever the stream and the caller are. */
export const healthDay = (now: Temporal.Instant): Temporal.PlainDate =>
  now.toZonedDateTimeISO('UTC').toPlainDate();
