import { withoutTrace } from '../../lib/fault.ts';
import { isZone } from '../../lib/zone.ts';
import { type Counting, endAfterCount } from './end-after-count.ts';
import {
  type CalendarTime,
  type Event,
  parseCalendarTime,
  parseLengthSeconds,
  type Property,
  readCalendar,
  unescapeText,
} from './ics-lines.ts';
import { parseRecurrence } from './parse-recurrence.ts';
import { dayNumber } from './recurrence.ts';
import {
  addRule,
  emptySchedule,
  isOfOurTimes,
  type ParsedSchedule,
  passOver,
  type ScheduleParser,
  type ScheduleRule,
  textOfHtml,
  type ScheduledShow,
  scheduledShow,
} from './schedule.ts';

/** For rules with COUNT: enough for two thousand weekly ones, or for a hundred years of months. */
const MAX_DAYS_COUNTED = 20_000;

interface CalendarDeps {
  zone: () => string;
  /** Whether a zone name is known: a calendar repeats a few of them a thousand times. */
  zones: Map<string, boolean>;
  counting: Counting;
}

/** iCalendar: events by the clock of a zone, some of them recurring; single occurrences may be moved or cancelled. */
export const parseIcs: ScheduleParser = (text, deps) => {
  const schedule = emptySchedule();
  const { events, properties } = readCalendar(text);
  const zones = new Map<string, boolean>();
  const zoned = {
    zone: () => zoneNamed(properties.get('X-WR-TIMEZONE'), { ...deps, zones }),
    zones,
    counting: { daysLeft: MAX_DAYS_COUNTED },
  };
  const masters = events.filter((event) => !event.has('RECURRENCE-ID'));
  const moved = Map.groupBy(
    events.filter((event) => event.has('RECURRENCE-ID')),
    (event) => valueOf(event, 'UID'),
  );
  for (const event of masters) {
    const uid = valueOf(event, 'UID');
    addEvent(schedule, event, moved.get(uid) ?? [], zoned);
    moved.delete(uid);
  }
  for (const left of moved.values().flatMap((several) => several)) addEvent(schedule, left, [], zoned);
  return schedule;
};

const valueOf = (event: Event, name: string): string => event.get(name)?.[0]?.value.trim() ?? '';

function addEvent(schedule: ParsedSchedule, event: Event, moved: readonly Event[], deps: CalendarDeps): void {
  const show = showOf(event);
  if (!show)
    return passOver(schedule, `an event without SUMMARY (UID ${valueOf(event, 'UID').slice(0, 80)})`);
  try {
    const rule = ruleOf(event, show, deps);
    const except = [
      ...rule.except,
      ...moved.flatMap((one) => timesAt(one, 'RECURRENCE-ID', rule.zone, deps)),
    ];
    if (!isCancelled(event))
      for (const each of [{ ...rule, except }, ...extraDates(event, rule, deps)]) addRule(schedule, each);
    // A moved occurrence is the same show: its own texts are about that day alone.
    for (const one of moved) if (!isCancelled(one)) addRule(schedule, ruleOf(one, show, deps));
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    passOver(schedule, `"${show.title}": ${error.message}`);
  }
}

class EventError extends Error {}

/** A stack trace would help nobody, and a calendar may have thousands of such events. */
const wrong = (message: string): EventError => withoutTrace(() => new EventError(message));

const isCancelled = (event: Event): boolean => valueOf(event, 'STATUS').toUpperCase() === 'CANCELLED';

const textOf = (event: Event, name: string): string => unescapeText(valueOf(event, name));

const showOf = (event: Event): ScheduledShow | undefined =>
  scheduledShow({
    title: textOf(event, 'SUMMARY'),
    description: textOfHtml(textOf(event, 'DESCRIPTION')),
    genre: textOf(event, 'CATEGORIES').split(',', 1)[0],
    image: valueOf(event, 'IMAGE'),
    homepage: valueOf(event, 'URL'),
  });

function ruleOf(event: Event, show: ScheduledShow, deps: CalendarDeps): ScheduleRule {
  const start = event.get('DTSTART')?.[0];
  if (!start) throw wrong('it has no DTSTART');
  const time = timeOf(start);
  const zone = zoneOf(start, time, deps);
  const rule = { ...show, zone, start: time.local, lengthSeconds: lengthOf(event, time, zone, deps) };
  const except = timesAt(event, 'EXDATE', zone, deps);
  const text = event.has('RECURRENCE-ID') ? '' : valueOf(event, 'RRULE');
  return text === ''
    ? { ...rule, except }
    : { ...rule, except, recurrence: recurrenceOf(text, time.local, zone, deps) };
}

function recurrenceOf(
  text: string,
  start: Temporal.PlainDateTime,
  zone: string,
  { counting }: CalendarDeps,
): string {
  try {
    const rule = parseRecurrence(text, start, zone);
    return rule.count === undefined ? text : endAfterCount(text, rule, start, counting);
  } catch (error) {
    throw wrong(`its RRULE: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** By the clock: a show of three hours on the night when clocks change still ends where the next begins. */
function lengthOf(event: Event, start: CalendarTime, zone: string, deps: CalendarDeps): number | undefined {
  const end = event.get('DTEND')?.[0];
  if (!end) return parseLengthSeconds(valueOf(event, 'DURATION')) ?? (start.isDate ? 86_400 : undefined);
  const seconds = secondsOf(inZone(end, zone, deps)) - secondsOf(start.local);
  if (seconds <= 0) throw wrong('it ends before it starts');
  return seconds;
}

/** Without a time zone, from an arbitrary origin. */
const secondsOf = (time: Temporal.PlainDateTime): number =>
  dayNumber(time) * 86_400 + (time.hour * 60 + time.minute) * 60 + time.second;

function timeOf({ name, value }: Property): CalendarTime {
  const time = parseCalendarTime(value);
  if (!time || !isOfOurTimes(time.local)) throw wrong(`${name} "${value.slice(0, 40)}" is not a time`);
  return time;
}

const zoneOf = ({ params }: Property, time: CalendarTime, deps: CalendarDeps): string =>
  time.isUtc ? 'UTC' : zoneNamed(params.get('TZID'), deps);

/** Zone names of other vendors are unknown; then the station's own zone, set by the operator, is used. */
const zoneNamed = (name: string | undefined, { zone, zones }: Pick<CalendarDeps, 'zone' | 'zones'>): string =>
  name !== undefined && zones.getOrInsertComputed(name, () => isZone(name)) ? name : zone();

/** The time in another zone. */
function inZone(property: Property, zone: string, deps: CalendarDeps): Temporal.PlainDateTime {
  const time = timeOf(property);
  const own = zoneOf(property, time, deps);
  return own === zone ? time.local : time.local.toZonedDateTime(own).withTimeZone(zone).toPlainDateTime();
}

/** A property may have several values; a date alone means every start on that day. */
const timesAt = (event: Event, name: string, zone: string, deps: CalendarDeps): string[] =>
  (event.get(name) ?? []).flatMap((property) =>
    property.value
      .split(',')
      .slice(0, 1000)
      .map((value) => {
        const one = { ...property, value };
        const local = inZone(one, zone, deps);
        return timeOf(one).isDate ? local.toPlainDate().toString() : local.toString();
      }),
  );

const extraDates = (event: Event, rule: ScheduleRule, deps: CalendarDeps): ScheduleRule[] =>
  timesAt(event, 'RDATE', rule.zone, deps).map((date) => ({
    ...rule,
    start: Temporal.PlainDateTime.from(date),
    recurrence: undefined,
  }));
