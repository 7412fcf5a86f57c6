/** How likely a stream is to play, 0 to 100, and since when that is known. */
export interface Standing {
  readonly value: number;
  readonly atMs: number;
}

/** Something that speaks for or against a stream. */
export interface Evidence {
  readonly isGood: boolean;
  /** From 0, which moves nothing, to 1, which settles it. */
  readonly weight: number;
  readonly atMs: number;
}

/** Of a stream of which nothing is known. */
export const UNKNOWN = 50;
/** Below this a stream comes after all others: it was silent when last looked at. */
export const LIKELY_TO_PLAY = 50;

/**
 * One look that hears nothing takes any stream below `LIKELY_TO_PLAY`, one that hears it brings most back above. Three
 * listeners in a row do what one look does; what a listener says for it counts less, since most of those who hear it say
 * nothing.
 */
export const WEIGHTS = { heard: 0.5, silent: 0.55, complaint: 0.21, praise: 0.05 } as const;

/** What was known fades: after so long half of it is left. */
const HALF_LIFE_MS = 14 * 86_400_000;

/** What the past is worth now; without news every stream drifts back to unknown. */
export function reliabilityAt({ value, atMs }: Standing, nowMs: number): number {
  const kept = 0.5 ** (Math.max(0, nowMs - atMs) / HALF_LIFE_MS);
  return UNKNOWN + (value - UNKNOWN) * kept;
}

/** The whole history, folded: each piece of evidence moves the standing towards 100 or 0 by its weight. */
export function reliabilityAfter(
  standing: Standing | undefined,
  { isGood, weight, atMs }: Evidence,
): Standing {
  const before = standing ? reliabilityAt(standing, atMs) : UNKNOWN;
  const value = before + ((isGood ? 100 : 0) - before) * weight;
  return { value, atMs: Math.max(atMs, standing?.atMs ?? atMs) };
}
