import { type Civil, civilOf, weekdayOf } from './civil-day.ts';

/** An RRULE of RFC 5545, as far as the schedules of radio stations go. */
export interface Recurrence {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  count?: number;
  /** The last start, by the clock of the rule's zone. */
  until?: string;
  days: readonly { weekday: number; ordinal: number }[];
  monthDays: readonly number[];
  months: readonly number[];
  positions: readonly number[];
  hours: readonly number[];
  minutes: readonly number[];
  weekStart: number;
}

/** The rule with what its start says where it says nothing itself, so that no day has to ask for it again. */
export function settled(rule: Recurrence, { weekday, date }: Pick<Civil, 'weekday' | 'date'>): Recurrence {
  if (rule.days.length > 0 || rule.frequency === 'DAILY') return rule;
  if (rule.frequency === 'WEEKLY') return { ...rule, days: [{ weekday, ordinal: 0 }] };
  return rule.monthDays.length > 0 ? rule : { ...rule, monthDays: [date] };
}

/** Whether a day, counted from 1970, is one of a rule that began on another. The rule is a settled one. */
export function isDayOf(rule: Recurrence, begun: Civil, day: number): boolean {
  if (day < begun.day) return false;
  if (!isInPace(rule, begun.day, day)) return false;
  const weekday = weekdayOf(day);
  if (rule.days.length > 0 && rule.days.every((one) => one.weekday !== weekday)) return false;
  if (isOfWeeks(rule)) return true;
  const civil = civilOf(day);
  if (rule.months.length > 0 && !rule.months.includes(civil.month)) return false;
  if (rule.frequency === 'DAILY' || rule.frequency === 'WEEKLY') return isAllowed(rule, civil);
  if (!isItsMonth(rule, begun, civil) || !isAllowed(rule, civil)) return false;
  return rule.positions.length === 0 || daysInMonth(rule, civil).includes(day);
}

/** Whether months and dates are nothing to a rule: it looks at weekdays alone, or at none. */
export const isOfWeeks = ({ frequency, months, monthDays }: Recurrence): boolean =>
  (frequency === 'DAILY' || frequency === 'WEEKLY') && months.length === 0 && monthDays.length === 0;

function isItsMonth(rule: Recurrence, begun: Civil, civil: Civil): boolean {
  if (rule.frequency === 'MONTHLY') return monthsBetween(begun, civil) % rule.interval === 0;
  return (
    (rule.months.length > 0 || civil.month === begun.month) && (civil.year - begun.year) % rule.interval === 0
  );
}

/** Whether the interval of a rule of days or weeks comes to this day, or to its week. */
export function isInPace(
  { frequency, interval, weekStart }: Recurrence,
  first: number,
  day: number,
): boolean {
  if (interval === 1) return true;
  if (frequency === 'DAILY') return (day - first) % interval === 0;
  if (frequency !== 'WEEKLY') return true;
  return ((weekOf(day, weekStart) - weekOf(first, weekStart)) / 7) % interval === 0;
}

/** The day on which its week begins. */
const weekOf = (day: number, weekStart: number): number => day - ((weekdayOf(day) - weekStart + 7) % 7);

const monthsBetween = (a: Civil, b: Civil): number => (b.year - a.year) * 12 + b.month - a.month;

type InMonth = Pick<Civil, 'date' | 'lastDate' | 'weekday'>;

function isAllowed({ days, monthDays }: Recurrence, civil: InMonth): boolean {
  if (monthDays.length > 0 && !monthDays.some((day) => fromEitherEnd(day, civil))) return false;
  return (
    days.length === 0 || days.some((day) => day.weekday === civil.weekday && isOrdinal(day.ordinal, civil))
  );
}

const fromEitherEnd = (day: number, { date, lastDate }: InMonth): boolean =>
  day > 0 ? date === day : date === lastDate + 1 + day;

/** The second, or the last but one, of its weekday in the month. */
const isOrdinal = (ordinal: number, { date, lastDate }: InMonth): boolean =>
  ordinal === 0 ||
  (ordinal > 0 ? Math.ceil(date / 7) === ordinal : Math.ceil((lastDate - date + 1) / 7) === -ordinal);

/** The days that a rule names in the month of this day, which is one of its months; counted from 1970. */
export function daysInMonth(rule: Recurrence, { day, date, lastDate }: Civil): number[] {
  const before = day - date;
  const days = (rule.days.length === 0 ? byDate(rule, lastDate) : byWeekday(rule, before, lastDate)).map(
    (each) => before + each,
  );
  const { positions } = rule;
  if (positions.length === 0) return days;
  return days.filter((_, at) => positions.includes(at + 1) || positions.includes(at - days.length));
}

/** Dates, in order; where no weekday is asked for there is nothing to look at for each. */
function byDate({ monthDays }: Recurrence, lastDate: number): number[] {
  if (monthDays.length === 0) return datesUpTo(lastDate);
  const dates = monthDays.map((day) => (day > 0 ? day : lastDate + 1 + day));
  return [...new Set(dates)].filter((date) => date >= 1 && date <= lastDate).toSorted(inOrder);
}

const byWeekday = (rule: Recurrence, before: number, lastDate: number): number[] =>
  datesUpTo(lastDate).filter((date) =>
    isAllowed(rule, { date, lastDate, weekday: weekdayOf(before + date) }),
  );

const DATES = Array.from({ length: 31 }, (_, n) => n + 1);
const datesUpTo = (lastDate: number): number[] => DATES.slice(0, lastDate);

/** When it starts on its days, in minutes since midnight, in order. */
export function minutesOf(
  { hours, minutes }: Recurrence,
  start: Pick<Temporal.PlainDateTime, 'hour' | 'minute'>,
): number[] {
  const [atHours, atMinutes] = [hours.toSorted(inOrder), minutes.toSorted(inOrder)];
  return (atHours.length > 0 ? atHours : [start.hour]).flatMap((hour) =>
    (atMinutes.length > 0 ? atMinutes : [start.minute]).map((minute) => hour * 60 + minute),
  );
}

const inOrder = (a: number, b: number): number => a - b;
