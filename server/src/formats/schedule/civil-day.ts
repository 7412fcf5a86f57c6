/** A day of the calendar, worked out from its number: rules walk over thousands of them. */
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
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** From 1 March of a year that four hundred divide, to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/** By counting, since dates as objects take ten times as long. The year begins in March here, so that a leap day ends it. */
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
