interface Span {
  start: Temporal.Instant;
  end?: Temporal.Instant | undefined;
}

export type Settled<T> = T & { start: Temporal.Instant; end: Temporal.Instant };

export interface Timetable<T> {
  settled: Settled<T>[];
  /** Nothing says when they end, they end before they begin, or they last longer than any broadcast. */
  endless: T[];
}

const LONGEST = { hours: 48 };
const before = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

/**
 * One list of what is on air, in order. Without an end an entry lasts until the next begins. Of two that begin at once
 * the longer stays. What lies inside another is a part of it, and both stay; of two that only overlap, the first ends
 * where the second begins.
 */
export function settleEntries<T extends Span>(entries: readonly T[]): Timetable<T> {
  const endless: T[] = [];
  const settled: Settled<T>[] = [];
  /** What is on at the moment, the innermost last. */
  const open: Settled<T>[] = [];
  for (const entry of withEnds(entries, endless)) {
    if (settled.at(-1)?.start.equals(entry.start)) continue;
    for (let around = open.at(-1); around; around = open.at(-1)) {
      if (before(entry.start, around.end)) {
        if (!before(around.end, entry.end)) break;
        around.end = entry.start;
      }
      open.pop();
    }
    settled.push(entry);
    open.push(entry);
  }
  return { settled, endless };
}

/** Sorted by start, those that begin at once by length, and each with an end. */
function withEnds<T extends Span>(entries: readonly T[], endless: T[]): Settled<T>[] {
  const sorted = entries.toSorted((a, b) => Temporal.Instant.compare(a.start, b.start));
  const ended: Settled<T>[] = [];
  let next: Temporal.Instant | undefined;
  let later: Temporal.Instant | undefined;
  for (const entry of sorted.toReversed()) {
    // Those that begin at once all end with the next that does not.
    if (later && before(entry.start, later)) next = later;
    later = entry.start;
    const end = entry.end ?? next;
    if (end && before(entry.start, end) && !before(entry.start.add(LONGEST), end))
      ended.push({ ...entry, end });
    else endless.push(entry);
  }
  return ended
    .toReversed()
    .toSorted((a, b) => Temporal.Instant.compare(a.start, b.start) || Temporal.Instant.compare(b.end, a.end));
}
