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

export function civilOf(day: number): Civil {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    day,
    year,
    month: month + 1,
    date: date.getUTCDate(),
    weekday: weekdayOf(day),
    lastDate: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
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
