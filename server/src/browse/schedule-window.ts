import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';

/** From an instant until before another. */
export interface Window {
  from: Temporal.Instant;
  until: Temporal.Instant;
  /** Whether what has begun before counts; else the first entry begins inside. */
  includesLive: boolean;
}

const LONGEST_DAYS = 3;
const SHORTEST_FORWARD = { hours: 24 };
const LONGEST_FORWARD = { hours: 36 };

/** Which part of a schedule is asked for, in days of a time zone. */
export function scheduleWindow(params: Params, zone: string, now: Temporal.Instant): Window {
  return params.flag('forward')
    ? forwardWindow(zone, now, params.flag('live'))
    : dayWindow(params, zone, now);
}

/** To the end of the day that it is in 24 hours, so that the list ends where a day does, but never beyond 36. */
function forwardWindow(zone: string, now: Temporal.Instant, includesLive: boolean): Window {
  const midnight = startOf(dayOf(now.add(SHORTEST_FORWARD), zone).add({ days: 1 }), zone);
  const latest = now.add(LONGEST_FORWARD);
  const until = Temporal.Instant.compare(midnight, latest) < 0 ? midnight : latest;
  return { from: now, until, includesLive };
}

function dayWindow(params: Params, zone: string, now: Temporal.Instant): Window {
  const start = params.optional('start', parseDay) ?? dayOf(now, zone);
  const stop = params.optional('stop', parseDay) ?? start;
  const { days } = start.until(stop, { largestUnit: 'days' });
  if (days < 0) throw invalid("'stop' lies before 'start'; give the later day as 'stop'");
  if (days >= LONGEST_DAYS)
    throw invalid(`A schedule spans at most ${LONGEST_DAYS} days; ask for the rest in another call`);
  return { from: startOf(start, zone), until: startOf(stop.add({ days: 1 }), zone), includesLive: true };
}

// The centuries of radio: the day after the year 9999 is written in a way that PostgreSQL does not read.
const DAY = /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/;

/** `20260109`; undefined for a day that no calendar has. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return undefined;
  try {
    return Temporal.PlainDate.from(`${year}-${month}-${day}`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** No clock on earth is farther from UTC. */
const FARTHEST_MINUTES = 14 * 60;

/** `120` -> `+02:00`. A plus that stands in an address as it is has become a space. */
export function parseOffsetZone(text: string): string | undefined {
  if (!/^[ +-]?\d{1,3}$/.test(text)) return undefined;
  const minutes = Number(text);
  if (Math.abs(minutes) > FARTHEST_MINUTES) return undefined;
  const digits = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
    `${n}`.padStart(2, '0'),
  );
  return `${minutes < 0 ? '-' : '+'}${digits.join(':')}`;
}

const dayOf = (instant: Temporal.Instant, zone: string): Temporal.PlainDate =>
  instant.toZonedDateTimeISO(zone).toPlainDate();

const startOf = (day: Temporal.PlainDate, zone: string): Temporal.Instant =>
  day.toZonedDateTime(zone).toInstant();

const invalid = (message: string): Fault => new Fault(400, 'request.invalid', message);
