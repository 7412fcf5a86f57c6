import { orUndefined } from './parse-instant.ts';

/** A time as a calendar writes it: by a clock that is named beside it, or in UTC. */
export interface CalendarTime {
  local: Temporal.PlainDateTime;
  isUtc: boolean;
  /** A day without a time of day. */
  isDate: boolean;
}

const TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/;

/** `20260329T060000`, `20260329T040000Z`, `20260329`. */
export function parseCalendarTime(text: string): CalendarTime | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const local = orUndefined(
    () => new Temporal.PlainDateTime(year, month, day, hour, minute, second === 60 ? 59 : second),
  );
  return local && { local, isUtc: found[7] !== undefined, isDate: found[4] === undefined };
}

const DURATION = /^\+?P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;

/** `PT3H`, `P1DT30M`; undefined for nothing and for what runs backwards. */
export function parseLengthSeconds(text: string): number | undefined {
  const found = DURATION.exec(text.trim());
  if (!found) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const total = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
  return total > 0 ? total : undefined;
}
