const HOUR = 3600;
const DAY = 24 * HOUR;

/** As often as news could be wanted, and as seldom as a show that may come back should be looked after. */
export const SHORTEST_SECONDS = 15 * 60;
export const LONGEST_SECONDS = 7 * DAY;
const LONGEST_OF_A_LIVE_SHOW = 12 * HOUR;
/** What is known of a feed that tells no times. */
export const UNKNOWN_SECONDS = 6 * HOUR;
/** A topic is then known, on average, after a sixteenth of the time between two of them. */
const PER_GAP = 8;

/**
 * How often a feed is worth reading, by the times of its newest topics (in milliseconds, the newest first): eight times
 * in the usual gap between two. A show that has been silent for three gaps and a month fades to once a day, then a week.
 */
export function cadenceSeconds(published: readonly number[], nowMs: number): number {
  const [newest] = published;
  if (newest === undefined) return UNKNOWN_SECONDS;
  const gap = medianGapSeconds(published);
  const silent = Math.max(0, (nowMs - newest) / 1000);
  if (silent > Math.max(3 * gap, 365 * DAY)) return LONGEST_SECONDS;
  if (silent > Math.max(3 * gap, 30 * DAY)) return DAY;
  return clamp(gap / PER_GAP, SHORTEST_SECONDS, LONGEST_OF_A_LIVE_SHOW);
}

/** Of the gaps: half the topics of some feeds come on one day, and one comes years later. */
function medianGapSeconds(published: readonly number[]): number {
  const gaps = published.slice(1).map((time, index) => ((published[index] ?? time) - time) / 1000);
  if (gaps.length === 0) return UNKNOWN_SECONDS * PER_GAP;
  return gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0;
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)));
