/**
 * A zone's clocks from ICU alone, by plain arithmetic on milliseconds: what the schedule's own computation, which uses
 * Temporal, is compared with.
 */
export interface ZoneTable {
  zone: string;
  /** From when on clocks are so far ahead of UTC; the first from the beginning of time. */
  spans: readonly { fromMs: number; offsetMs: number }[];
}

const WEEK_MS = 7 * 86_400_000;

/** Looks once a week, more often than any zone changes twice, and halves the week in which it does down to a second. */
export function zoneTable(zone: string, fromMs: number, untilMs: number): ZoneTable {
  const offsetAt = offsetReader(zone);
  const spans = [{ fromMs: Number.NEGATIVE_INFINITY, offsetMs: offsetAt(fromMs) }];
  for (let at = fromMs; at < untilMs; at += WEEK_MS) {
    let [low, high] = [at, at + WEEK_MS];
    const after = offsetAt(high);
    const before = offsetAt(low);
    if (after === before) continue;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    spans.push({ fromMs: high, offsetMs: after });
  }
  return { zone, spans };
}

/** `GMT+01:00`, `GMT-03:30`, `GMT`. */
function offsetReader(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    year: 'numeric',
  });
  return (ms) => {
    const [, sign, hours, minutes, seconds = '0'] =
      /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(format.format(ms)) ?? [];
    if (sign === undefined) return 0;
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  };
}

/** When a wall clock shows this: the first time it does, or the moment at which it skips it. */
export function instantMs({ spans }: ZoneTable, wallMs: number): number {
  for (const [index, { fromMs, offsetMs }] of spans.entries()) {
    const at = wallMs - offsetMs;
    const untilMs = spans[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    // Too early for this span although it was too late for the one before: it was skipped between them.
    if (at < fromMs) return fromMs;
    if (at < untilMs) return at;
  }
  throw new Error('the last span never ends');
}

/** What a wall clock shows. */
export function localMs({ spans }: ZoneTable, atMs: number): number {
  const span = spans.findLast(({ fromMs }) => fromMs <= atMs);
  return atMs + (span?.offsetMs ?? 0);
}
