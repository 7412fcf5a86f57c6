/** An RRULE of RFC 5545, as far as the schedules of radio stations need it. */
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

/** The rule with defaults from its start filled in, so that they are computed once. */
export function settled(rule: Recurrence, { weekday, date }: Pick<Civil, 'weekday' | 'date'>): Recurrence {
  if (rule.days.length > 0 || rule.frequency === 'DAILY') return rule;
  if (rule.frequency === 'WEEKLY') return { ...rule, days: [{ weekday, ordinal: 0 }] };
  return rule.monthDays.length > 0 ? rule : { ...rule, monthDays: [date] };
}

/** Whether a day, counted from 1970, belongs to a rule that began on another. The rule must be resolved. */
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

/** Whether a rule ignores months and dates: it uses weekdays only, or nothing. */
export const isOfWeeks = ({ frequency, months, monthDays }: Recurrence): boolean =>
  (frequency === 'DAILY' || frequency === 'WEEKLY') && months.length === 0 && monthDays.length === 0;

function isItsMonth(rule: Recurrence, begun: Civil, civil: Civil): boolean {
  if (rule.frequency === 'MONTHLY') return monthsBetween(begun, civil) % rule.interval === 0;
  return (
    (rule.months.length > 0 || civil.month === begun.month) && (civil.year - begun.year) % rule.interval === 0
  );
}

/** Whether the interval of a daily or weekly rule includes this day, or its week. */
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

/** The first day of its week. */
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

/** Such as the second, or the last but one, of its weekday in the month. */
const isOrdinal = (ordinal: number, { date, lastDate }: InMonth): boolean =>
  ordinal === 0 ||
  (ordinal > 0 ? Math.ceil(date / 7) === ordinal : Math.ceil((lastDate - date + 1) / 7) === -ordinal);

/** The days of a rule in the month of this day, which is one of its months; counted from 1970. */
export function daysInMonth(rule: Recurrence, { day, date, lastDate }: Civil): number[] {
  const before = day - date;
  const days = (rule.days.length === 0 ? byDate(rule, lastDate) : byWeekday(rule, before, lastDate)).map(
    (each) => before + each,
  );
  const { positions } = rule;
  if (positions.length === 0) return days;
  return days.filter((_, at) => positions.includes(at + 1) || positions.includes(at - days.length));
}

/** Sorted dates; without BYDAY there is nothing to check for each. */
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

/**
 * When a rule starts on its days, in minutes since midnight, in order. Never materialised: all minutes of all hours
 * are 1,440 starts, and a calendar has hundreds of rules.
 */
export class StartsOfDay {
  readonly #hours: readonly number[];
  readonly #minutes: readonly number[];

  constructor({ hours, minutes }: Recurrence, start: Pick<Temporal.PlainDateTime, 'hour' | 'minute'>) {
    this.#hours = hours.length > 0 ? hours.toSorted(inOrder) : [start.hour];
    this.#minutes = minutes.length > 0 ? minutes.toSorted(inOrder) : [start.minute];
  }

  get length(): number {
    return this.#hours.length * this.#minutes.length;
  }

  at(index: number): number | undefined {
    const hour = this.#hours[Math.floor(index / this.#minutes.length)];
    return hour === undefined ? undefined : hour * 60 + (this.#minutes[index % this.#minutes.length] ?? 0);
  }

  /** How many are before a time of the day. */
  countBefore({ hour, minute }: Pick<Temporal.PlainDateTime, 'hour' | 'minute'>): number {
    const sooner = this.#hours.filter((one) => one < hour).length * this.#minutes.length;
    return this.#hours.includes(hour) ? sooner + this.#minutes.filter((one) => one < minute).length : sooner;
  }

  list(): number[] {
    return this.#hours.flatMap((hour) => this.#minutes.map((minute) => hour * 60 + minute));
  }
}

const inOrder = (a: number, b: number): number => a - b;

/** A calendar day, computed from its number: rules walk over thousands of them. */
export interface Civil {
  /** Days since 1970-01-01. */
  day: number;
  year: number;
  month: number;
  date: number;
  /** From Monday, 1, to Sunday, 7. */
  weekday: number;
  /** Of the month. */
  lastDate: number;
}

const DAY_MS = 86_400_000;

/** 1970 began on a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** From 1 March of a year divisible by 400, to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/**
 * By arithmetic, since date objects take ten times as long. The year begins in March here, so that a leap day ends it.
 */
export function civilOf(day: number): Civil {
  const shifted = day + DAYS_BEFORE_1970;
  const era = Math.floor(shifted / DAYS_OF_400_YEARS);
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const date = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return { day, year, month, date, weekday: weekdayOf(day), lastDate: lastDateOf(year, month) };
}

function lastDateOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export const dayNumber = ({ year, month, day }: { year: number; month: number; day: number }): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

/** In UTC. */
export const dayOf = ({ epochMilliseconds }: Temporal.Instant): number =>
  Math.floor(epochMilliseconds / DAY_MS);

export const plainDate = (day: number): Temporal.PlainDate => {
  const { year, month, date } = civilOf(day);
  return new Temporal.PlainDate(year, month, date);
};
