import { occurrencesOf } from '../../formats/schedule/occurrences.ts';
import { MOST_ENTRIES, type ScheduleRule } from '../../formats/schedule/schedule.ts';
import { type Settled, settleEntries } from './settle-entries.ts';

/** How far ahead rules become broadcasts: the longest anyone asks for is days, and zones change their minds in weeks. */
export const AHEAD = { hours: 24 * 22 };
/** No broadcast is longer, so what lies farther from an edge does not reach over it. */
const MARGIN = { hours: 48 };

type Timing = Pick<ScheduleRule, 'zone' | 'start' | 'lengthSeconds' | 'recurrence' | 'except'>;
type Timed<T> = Settled<{ rule: T; start: Temporal.Instant; end?: Temporal.Instant | undefined }>;

/**
 * What rules have on air that begins from one instant until before another, in order and settled with each other. Who
 * listens for rules that cannot be read goes on without them.
 */
export function goOn<T extends Timing>(
  rules: readonly T[],
  from: Temporal.Instant,
  until: Temporal.Instant,
  onUnreadable?: (rule: T, error: unknown) => void,
): Timed<T>[] {
  const [wideFrom, wideUntil] = [from.subtract(MARGIN), until.add(MARGIN)];
  const entries: { rule: T; start: Temporal.Instant; end: Temporal.Instant | undefined }[] = [];
  for (const rule of rules) {
    try {
      for (const occurrence of occurrencesOf(rule, wideFrom, wideUntil))
        entries.push({ rule, ...occurrence });
    } catch (error) {
      if (!onUnreadable) throw error;
      onUnreadable(rule, error);
    }
    if (entries.length > MOST_ENTRIES)
      throw new Error(
        `the rules make over ${MOST_ENTRIES} broadcasts in three weeks: is one every minute meant?`,
      );
  }
  return settleEntries(entries).settled.filter(
    ({ start }) => Temporal.Instant.compare(start, from) >= 0 && Temporal.Instant.compare(start, until) < 0,
  );
}
