import { type ParsedSchedule, addEntry, addRule, emptySchedule, passOver } from './schedule.ts';

type Covered = NonNullable<ParsedSchedule['covers']>;

/** Schedules of several days as one, so that what runs over midnight meets what comes after it. */
export function mergeSchedules(parts: readonly ParsedSchedule[]): ParsedSchedule {
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  const whole = emptySchedule();
  for (const { entries, rules, covers, passedOver } of parts) {
    for (const entry of entries) addEntry(whole, entry);
    for (const rule of rules) addRule(whole, rule);
    for (const why of passedOver) passOver(whole, why);
    if (covers) whole.covers = widened(whole.covers, covers);
  }
  return whole;
}

/** From the earlier start to the later end of two. */
export function widened(known: Covered | undefined, { from, until }: Covered): Covered {
  if (!known) return { from, until };
  return {
    from: Temporal.Instant.compare(known.from, from) < 0 ? known.from : from,
    until: Temporal.Instant.compare(known.until, until) > 0 ? known.until : until,
  };
}
