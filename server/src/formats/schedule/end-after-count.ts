import { withoutTrace } from '../../lib/fault.ts';
import {
  type Civil,
  civilOf,
  dayNumber,
  daysInMonth,
  isDayOf,
  isInPace,
  isOfWeeks,
  type Recurrence,
  settled,
  StartsOfDay,
} from './recurrence.ts';

/** How many days may still be evaluated: a calendar may contain thousands of rules. */
export interface Counting {
  daysLeft: number;
}

/** A hundred years; longer rules are cut off. */
const MAX_DAYS = 36_525;

/** Replaces COUNT by the date of the last start, so that it is counted only once. */
export function endAfterCount(
  text: string,
  given: Recurrence,
  start: Temporal.PlainDateTime,
  counting: Counting,
): string {
  const begun = civilOf(dayNumber(start));
  const rule = settled(given, begun);
  const pay = payFor(rule, counting);
  const times = new StartsOfDay(rule, start);
  pay(1);
  let left = rule.count ?? 0;
  if (isDayOf(rule, begun, begun.day)) {
    const over = times.countBefore(start);
    const soon = times.at(over + left - 1);
    if (soon !== undefined) return withUntil(text, begun, soon, start.second);
    left -= times.length - over;
  }
  const round = isOfWeeks(rule) ? wholeRounds(rule, begun, pay, { left, aDay: times.length }) : NO_ROUND;
  left -= round.starts;
  const days = isOfWeeks(rule)
    ? daysOneByOne(rule, begun, pay, begun.day + round.days)
    : daysByMonth(rule, begun, pay);
  for (const several of days) {
    const day = several[Math.floor((left - 1) / times.length)];
    const minutes = times.at((left - 1) % times.length) ?? 0;
    if (day !== undefined) return withUntil(text, civilOf(day), minutes, start.second);
    left -= several.length * times.length;
  }
  return withUntil(text, civilOf(begun.day + MAX_DAYS), 0, 0);
}

type Pay = (days: number) => void;

/** As many parts as a day is compared with for the price of one; those of radio stations have fewer. */
const PARTS_PER_TURN = 8;

function payFor({ days, monthDays, months, positions }: Recurrence, counting: Counting): Pay {
  const parts = days.length + monthDays.length + months.length + positions.length;
  const each = Math.max(1, Math.ceil(parts / PARTS_PER_TURN));
  return (looked) => {
    counting.daysLeft -= looked * each;
    if (counting.daysLeft < 0) throw withoutTrace(() => new Error('COUNT is too large; use UNTIL instead'));
  };
}

interface Round {
  days: number;
  starts: number;
}

const NO_ROUND: Round = { days: 0, starts: 0 };
const MAX_ROUND = 70;

/**
 * Rules of weekdays are periodic: the days of one period are counted, and as many periods are skipped in one step as
 * leave at least one start. Rules with a long period are counted day by day from the start.
 */
function wholeRounds(
  rule: Recurrence,
  begun: Civil,
  pay: Pay,
  starts: { left: number; aDay: number },
): Round {
  const length = rule.interval * 7;
  if (length > MAX_ROUND) return NO_ROUND;
  // Such days are found by their weekday, in the same time for every week.
  pay(rule.interval);
  let days = 0;
  for (let day = 1; day <= length; day += 1) if (isDayOf(rule, begun, begun.day + day)) days += 1;
  const aRound = days * starts.aDay;
  const rounds =
    aRound === 0 ? 0 : Math.min(Math.floor((starts.left - 1) / aRound), Math.floor(MAX_DAYS / length));
  return { days: rounds * length, starts: rounds * aRound };
}

/** The days of a weekday rule after a day that is whole periods from its first. */
function* daysOneByOne(rule: Recurrence, begun: Civil, pay: Pay, behind: number): Generator<number[]> {
  const step = rule.frequency === 'DAILY' ? rule.interval : 1;
  for (let day = behind + step; day < begun.day + MAX_DAYS; day += step) {
    pay(1);
    if (isDayOf(rule, begun, day)) yield [day];
  }
}

/** The days after the first of a rule with months or dates, month by month. */
function* daysByMonth(rule: Recurrence, begun: Civil, pay: Pay): Generator<number[]> {
  const end = begun.day + MAX_DAYS;
  for (const month of monthsOf(rule, begun, end)) {
    const isAsked = rule.months.length === 0 || rule.months.includes(month.month);
    // A whole month takes half the time of its days one by one.
    pay(isAsked ? Math.ceil(month.lastDate / 2) : 1);
    if (isAsked)
      yield daysInMonth(rule, month).filter(
        (day) => day > begun.day && day < end && isInPace(rule, begun.day, day),
      );
  }
}

/** The first days of the months that the rule covers, up to a day; for yearly rules, of the months it names. */
function* monthsOf({ frequency, interval, months }: Recurrence, begun: Civil, end: number): Generator<Civil> {
  const isYearly = frequency === 'YEARLY';
  const named = isYearly && months.length > 0 ? months.toSorted((a, b) => a - b) : [begun.month];
  const step = isYearly ? 12 * interval : frequency === 'MONTHLY' ? interval : 1;
  for (let on = 0; ; on += step)
    for (const month of named) {
      const first = firstOf(begun.year, month + on);
      if (first.day >= end) return;
      yield first;
    }
}

/** `month` may exceed 12. */
const firstOf = (year: number, month: number): Civil => civilOf(dayNumber({ year, month, day: 1 }));

function withUntil(text: string, { year, month, date }: Civil, minutes: number, second: number): string {
  const rest = text.split(';').filter((part) => !/^(?:COUNT|UNTIL)=/i.test(part));
  const clock = [Math.floor(minutes / 60), minutes % 60, second].map(twoDigits).join('');
  return [...rest, `UNTIL=${year}${twoDigits(month)}${twoDigits(date)}T${clock}`].join(';');
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
