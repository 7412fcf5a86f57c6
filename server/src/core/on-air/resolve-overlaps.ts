interface Span {
  start: Temporal.Instant;
  end?: Temporal.Instant | undefined;
}

export type WithTimes<T> = T & { start: Temporal.Instant; end: Temporal.Instant };

export interface Timetable<T> {
  resolved: WithTimes<T>[];
  /** Entries without an end, with an end before the start, or longer than any broadcast. */
  endless: T[];
}

const MAX_LENGTH = { hours: 48 };
const before = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

/**
 * One list of what is on air, in order. Without an end an entry lasts until the next begins. Of two with the same start
 * the longer stays. An entry inside another is part of it, and both stay; of two that only overlap, the first ends
 * where the second begins.
 */
export function resolveOverlaps<T extends Span>(entries: readonly T[]): Timetable<T> {
  const endless: T[] = [];
  const resolved: WithTimes<T>[] = [];
  /** The entries open at this point, the innermost last. */
  const open: WithTimes<T>[] = [];
  for (const entry of withEnds(entries, endless)) {
    if (resolved.at(-1)?.start.equals(entry.start)) continue;
    for (let around = open.at(-1); around; around = open.at(-1)) {
      if (before(entry.start, around.end)) {
        if (!before(around.end, entry.end)) break;
        around.end = entry.start;
      }
      open.pop();
    }
    resolved.push(entry);
    open.push(entry);
  }
  return { resolved, endless };
}

/** Sorted by start, then by length, and each with an end. */
function withEnds<T extends Span>(entries: readonly T[], endless: T[]): WithTimes<T>[] {
  const sorted = entries.toSorted((a, b) => Temporal.Instant.compare(a.start, b.start));
  const ended: WithTimes<T>[] = [];
  let next: Temporal.Instant | undefined;
  let later: Temporal.Instant | undefined;
  for (const entry of sorted.toReversed()) {
    // Entries with the same start all end at the next later start.
    if (later && before(entry.start, later)) next = later;
    later = entry.start;
    const end = entry.end ?? next;
    if (end && before(entry.start, end) && !before(entry.start.add(MAX_LENGTH), end))
      ended.push({ ...entry, end });
    else endless.push(entry);
  }
  return ended
    .toReversed()
    .toSorted((a, b) => Temporal.Instant.compare(a.start, b.start) || Temporal.Instant.compare(b.end, a.end));
}
