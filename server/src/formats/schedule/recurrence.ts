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

/** Whether a day, counted from 1970, is one of a rule that began on another. */
export function isDayOf(rule: Recurrence, first: number, day: number, begun = civilOf(first)): boolean {
  if (day < first) return false;
  const weekday = weekdayOf(day);
  if (rule.days.length > 0 && rule.days.every((one) => one.weekday !== weekday)) return false;
  const civil = civilOf(day);
  if (rule.months.length > 0 && !rule.months.includes(civil.month)) return false;
  if (rule.frequency === 'DAILY') return (day - first) % rule.interval === 0 && isAllowed(rule, civil);
  if (rule.frequency === 'WEEKLY')
    return isInWeek(rule, first, day) && isAllowed(withDays(rule, begun), civil);
  if (rule.frequency === 'MONTHLY')
    return monthsBetween(begun, civil) % rule.interval === 0 && isOfMonth(rule, begun, civil);
  const isItsMonth = rule.months.length > 0 || civil.month === begun.month;
  return isItsMonth && (civil.year - begun.year) % rule.interval === 0 && isOfMonth(rule, begun, civil);
}

const isInWeek = ({ weekStart, interval }: Recurrence, first: number, day: number): boolean =>
  ((weekOf(day, weekStart) - weekOf(first, weekStart)) / 7) % interval === 0;

/** The day on which its week begins. */
const weekOf = (day: number, weekStart: number): number => day - ((weekdayOf(day) - weekStart + 7) % 7);

const withDays = (rule: Recurrence, { weekday }: Civil): Recurrence =>
  rule.days.length > 0 ? rule : { ...rule, days: [{ weekday, ordinal: 0 }] };

const monthsBetween = (a: Civil, b: Civil): number => (b.year - a.year) * 12 + b.month - a.month;

function isAllowed({ days, monthDays }: Recurrence, civil: Civil): boolean {
  if (monthDays.length > 0 && !monthDays.some((day) => fromEitherEnd(day, civil))) return false;
  return (
    days.length === 0 || days.some((day) => day.weekday === civil.weekday && isOrdinal(day.ordinal, civil))
  );
}

const fromEitherEnd = (day: number, { date, lastDate }: Civil): boolean =>
  day > 0 ? date === day : date === lastDate + 1 + day;

/** The second, or the last but one, of its weekday in the month. */
const isOrdinal = (ordinal: number, { date, lastDate }: Civil): boolean =>
  ordinal === 0 ||
  (ordinal > 0 ? Math.ceil(date / 7) === ordinal : Math.ceil((lastDate - date + 1) / 7) === -ordinal);

function isOfMonth(rule: Recurrence, begun: Civil, civil: Civil): boolean {
  const told =
    rule.days.length > 0 || rule.monthDays.length > 0 ? rule : { ...rule, monthDays: [begun.date] };
  if (!isAllowed(told, civil)) return false;
  return rule.positions.length === 0 || isAtPosition(told, civil);
}

function isAtPosition(rule: Recurrence, civil: Civil): boolean {
  const first = civil.day - civil.date + 1;
  const days = Array.from({ length: civil.lastDate }, (_, n) => civilOf(first + n)).filter((one) =>
    isAllowed(rule, one),
  );
  const at = days.findIndex(({ date }) => date === civil.date);
  return rule.positions.some((position) => position === at + 1 || position === at - days.length);
}
