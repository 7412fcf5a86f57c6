import { instantOf } from '../../lib/zone.ts';
import { parseRecurrence } from './parse-recurrence.ts';
import {
  civilOf,
  dayNumber,
  dayOf,
  isDayOf,
  plainDate,
  type Recurrence,
  settled,
  StartsOfDay,
} from './recurrence.ts';
import type { ScheduleRule } from './schedule.ts';

type Timing = Pick<ScheduleRule, 'zone' | 'start' | 'lengthSeconds' | 'recurrence' | 'except'>;

interface Occurrence {
  start: Temporal.Instant;
  end: Temporal.Instant | undefined;
}

/** No broadcast is longer, so that none that began earlier is still on. */
const MAX_DAYS = 2;

/** The occurrences of a rule between `from` and `until`; only these days are evaluated, however old the rule is. */
export function occurrencesOf(rule: Timing, from: Temporal.Instant, until: Temporal.Instant): Occurrence[] {
  // Every time zone is less than a day from UTC.
  const starts = startsBetween(rule, dayOf(from) - MAX_DAYS - 1, dayOf(until) + 1);
  return starts.flatMap((local): Occurrence[] => {
    const start = instantOf(local, rule.zone);
    if (!isBefore(start, until)) return [];
    if (rule.lengthSeconds === undefined) return isBefore(start, from) ? [] : [{ start, end: undefined }];
    const end = instantOf(local.add({ seconds: rule.lengthSeconds }), rule.zone);
    // An occurrence entirely inside a skipped hour has no length.
    return isBefore(start, end) && isBefore(from, end) ? [{ start, end }] : [];
  });
}

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

function startsBetween(rule: Timing, firstDay: number, lastDay: number): Temporal.PlainDateTime[] {
  const begun = dayNumber(rule.start);
  const isLeftOut = (local: Temporal.PlainDateTime): boolean =>
    rule.except.length > 0 &&
    (rule.except.includes(local.toString()) || rule.except.includes(local.toPlainDate().toString()));
  if (rule.recurrence === undefined)
    return begun < firstDay || begun > lastDay || isLeftOut(rule.start) ? [] : [rule.start];
  const first = civilOf(begun);
  const recurrence = settled(parseRecurrence(rule.recurrence, rule.start, rule.zone), first);
  const times = timesOf(recurrence, rule.start);
  const starts: Temporal.PlainDateTime[] = [];
  for (let day = Math.max(firstDay, begun); day <= lastDay; day += 1) {
    if (!isDayOf(recurrence, first, day)) continue;
    const date = plainDate(day);
    for (const time of times) {
      const local = date.toPlainDateTime(time);
      if (isWithin(local, rule.start, recurrence) && !isLeftOut(local)) starts.push(local);
    }
  }
  return starts;
}

function isWithin(
  local: Temporal.PlainDateTime,
  start: Temporal.PlainDateTime,
  { until }: Recurrence,
): boolean {
  if (Temporal.PlainDateTime.compare(local, start) < 0) return false;
  return until === undefined || Temporal.PlainDateTime.compare(local, until) <= 0;
}

const timesOf = (rule: Recurrence, start: Temporal.PlainDateTime): Temporal.PlainTime[] =>
  new StartsOfDay(rule, start)
    .list()
    .map((minutes) => start.toPlainTime().with({ hour: Math.floor(minutes / 60), minute: minutes % 60 }));
