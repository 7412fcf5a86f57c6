import { instantOf } from '../../lib/local-time.ts';
import { type Civil, civilOf, dayNumber, dayOf, plainDate } from './civil-day.ts';
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

const timesOf = (rule: Recurrence, start: Temporal.PlainDateTime): Temporal.PlainTime[] =>
  minutesOf(rule, start).map((minutes) =>
    start.toPlainTime().with({ hour: Math.floor(minutes / 60), minute: minutes % 60 }),
  );

/** When it starts on its days, in minutes since midnight, in order. */
function minutesOf({ hours, minutes }: Recurrence, start: Temporal.PlainDateTime): number[] {
  return (hours.length > 0 ? hours : [start.hour])
    .flatMap((hour) =>
      (minutes.length > 0 ? minutes : [start.minute]).map((minute) => minuteOf({ hour, minute })),
    )
    .toSorted((a, b) => a - b);
}

/** A rule that ends after so many has its last start written instead, so that nobody has to count again. */
export function endAfterCount(
  text: string,
  rule: Recurrence,
  start: Temporal.PlainDateTime,
  counting: { daysLeft: number },
): string {
  const first = dayNumber(start);
  const times = minutesOf(rule, start);
  const begun = civilOf(first);
  const isDay = (day: number): boolean => {
    counting.daysLeft -= 1;
    if (counting.daysLeft < 0) throw new Error('COUNT is of too many events; give them an UNTIL');
    return isDayOf(rule, first, day, begun);
  };
  const onFirst = isDay(first) ? times.filter((minute) => minute >= minuteOf(start)) : [];
  let left = rule.count ?? 0;
  const soon = onFirst[left - 1];
  if (soon !== undefined) return withUntil(text, atMinute(first, soon, start));
  left -= onFirst.length;
  const round = wholeRounds(rule, (day) => isDay(first + day), times.length, left);
  left -= round.starts;
  for (let day = first + 1 + round.days; day < first + MOST_DAYS; day += 1) {
    if (!isDay(day)) {
      day += daysOfWrongMonth(rule, begun, civilOf(day));
      continue;
    }
    const last = times[left - 1];
    if (last !== undefined) return withUntil(text, atMinute(day, last, start));
    left -= times.length;
  }
  return withUntil(text, plainDate(first + MOST_DAYS).toPlainDateTime());
}

/**
 * Rules of days and weeks go round: the days of one round are counted, and as many rounds are passed over at once as
 * leave at least one start. Others, and those whose round is a long one, are counted day by day from the start.
 */
function wholeRounds(
  rule: Recurrence,
  isDay: (day: number) => boolean,
  startsADay: number,
  left: number,
): { days: number; starts: number } {
  const isOfWeeks = rule.frequency === 'WEEKLY' || rule.frequency === 'DAILY';
  const isPlain =
    rule.months.length === 0 &&
    rule.monthDays.length === 0 &&
    rule.days.every(({ ordinal }) => ordinal === 0);
  const length = rule.interval * 7;
  if (!isOfWeeks || !isPlain || length > LONGEST_ROUND) return { days: 0, starts: 0 };
  let days = 0;
  for (let day = 1; day <= length; day += 1) if (isDay(day)) days += 1;
  const starts = days * startsADay;
  const rounds = starts === 0 ? 0 : Math.min(Math.floor((left - 1) / starts), Math.floor(MOST_DAYS / length));
  return { days: rounds * length, starts: rounds * starts };
}

const LONGEST_ROUND = 70;

/** Days to the end of a month in which a yearly rule has none. */
function daysOfWrongMonth(
  { frequency, months }: Recurrence,
  begun: Civil,
  { month, date, lastDate }: Civil,
): number {
  if (frequency !== 'YEARLY') return 0;
  return (months.length > 0 ? months.includes(month) : month === begun.month) ? 0 : lastDate - date;
}

const minuteOf = ({ hour, minute }: { hour: number; minute: number }): number => hour * 60 + minute;

const atMinute = (day: number, minutes: number, start: Temporal.PlainDateTime): Temporal.PlainDateTime =>
  plainDate(day).toPlainDateTime(
    start.toPlainTime().with({ hour: Math.floor(minutes / 60), minute: minutes % 60 }),
  );

/** A hundred years; what a rule has not done by then it will do without us. */
const MOST_DAYS = 36_525;

const withUntil = (text: string, last: Temporal.PlainDateTime): string =>
  [
    ...text.split(';').filter((part) => !/^(?:COUNT|UNTIL)=/i.test(part)),
    `UNTIL=${last.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`,
  ].join(';');
