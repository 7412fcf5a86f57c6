import { instantOf } from '../../lib/local-time.ts';
import { dayNumber, dayOf, plainDate } from './civil-day.ts';
import { parseRecurrence } from './parse-recurrence.ts';
import { type Recurrence, isDayOf } from './recurrence.ts';
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
  const recurrence = parseRecurrence(rule.recurrence, rule.start, rule.zone);
  const times = timesOf(recurrence, rule.start);
  const starts: Temporal.PlainDateTime[] = [];
  for (let day = Math.max(firstDay, begun); day <= lastDay; day += 1) {
    if (!isDayOf(recurrence, begun, day)) continue;
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

function timesOf({ hours, minutes }: Recurrence, start: Temporal.PlainDateTime): Temporal.PlainTime[] {
  const time = start.toPlainTime();
  return (hours.length > 0 ? hours : [time.hour])
    .flatMap((hour) =>
      (minutes.length > 0 ? minutes : [time.minute]).map((minute) => time.with({ hour, minute })),
    )
    .toSorted((a, b) => Temporal.PlainTime.compare(a, b));
}

/** A rule that ends after so many has its last start written instead, so that nobody has to count again. */
export function endAfterCount(
  text: string,
  rule: Recurrence,
  start: Temporal.PlainDateTime,
  counting: { daysLeft: number },
): string {
  const first = dayNumber(start);
  const times = timesOf(rule, start);
  const firstTimes = times.filter((time) => Temporal.PlainTime.compare(time, start) >= 0);
  let left = rule.count ?? 0;
  for (let day = first; day < first + MOST_DAYS; day += 1) {
    counting.daysLeft -= 1;
    if (counting.daysLeft < 0) throw new Error('COUNT is of too many events; give them an UNTIL');
    if (!isDayOf(rule, first, day)) continue;
    const today = day === first ? firstTimes : times;
    const last = today[left - 1];
    if (last) return withUntil(text, plainDate(day).toPlainDateTime(last));
    left -= today.length;
  }
  return withUntil(text, plainDate(first + MOST_DAYS).toPlainDateTime());
}

/** A hundred years; what a rule has not done by then it will do without us. */
const MOST_DAYS = 36_525;

const withUntil = (text: string, last: Temporal.PlainDateTime): string =>
  [
    ...text.split(';').filter((part) => !/^(?:COUNT|UNTIL)=/i.test(part)),
    `UNTIL=${last.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`,
  ].join(';');
