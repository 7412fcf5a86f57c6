import { instantOf } from '../../lib/local-time.ts';
import { civilOf, dayNumber, dayOf, plainDate } from './civil-day.ts';
import { parseRecurrence } from './parse-recurrence.ts';
import { type Recurrence, isDayOf, minutesOf, settled } from './recurrence.ts';
import type { ScheduleRule } from './schedule.ts';

type Timing = Pick<ScheduleRule, 'zone' | 'start' | 'lengthSeconds' | 'recurrence' | 'except'>;

export interface Occurrence {
  start: Temporal.Instant;
  end: Temporal.Instant | undefined;
}

/** No broadcast is longer, so none that began earlier is still on. */
const LONGEST_DAYS = 2;

/** When a rule is on air at some moment from `from` until before `until`; day by day of these, however old the rule is. */
export function occurrencesOf(rule: Timing, from: Temporal.Instant, until: Temporal.Instant): Occurrence[] {
  // No clock on earth is a day from UTC.
  const starts = startsBetween(rule, dayOf(from) - LONGEST_DAYS - 1, dayOf(until) + 1);
  return starts.flatMap((local): Occurrence[] => {
    const start = instantOf(local, rule.zone);
    if (!isBefore(start, until)) return [];
    if (rule.lengthSeconds === undefined) return isBefore(start, from) ? [] : [{ start, end: undefined }];
    const end = instantOf(local.add({ seconds: rule.lengthSeconds }), rule.zone);
    // What clocks skip whole has no length and is not heard.
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
  minutesOf(rule, start).map((minutes) =>
    start.toPlainTime().with({ hour: Math.floor(minutes / 60), minute: minutes % 60 }),
  );
