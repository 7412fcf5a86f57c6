import { isZone } from '../../lib/local-time.ts';
import { withoutTrace } from '../../lib/without-trace.ts';
import { dayNumber } from './civil-day.ts';
import { type Counting, endAfterCount } from './end-after-count.ts';
import { type Event, type Property, readCalendar, unescapeText } from './ics-lines.ts';
import { type CalendarTime, parseCalendarTime, parseLengthSeconds } from './ics-time.ts';
import { isOfOurTimes } from './parse-instant.ts';
import { parseRecurrence } from './parse-recurrence.ts';
import {
  type ParsedSchedule,
  type ScheduleParser,
  type ScheduleRule,
  type ToldShow,
  addRule,
  emptySchedule,
  passOver,
} from './schedule.ts';
import { textOfHtml, toldShow } from './told-show.ts';

/** Of rules that end after so many: enough for three thousand of weeks, or for a hundred years of months. */
const MOST_DAYS_COUNTED = 30_000;

interface CalendarNeeds {
  zone: () => string;
  /** Which names of zones are known: a calendar names a few of them a thousand times. */
  zones: Map<string, boolean>;
  counting: Counting;
}

/** iCalendar: events by the clock of a zone, some of which come again; single ones of those may be moved or cancelled. */
export const parseIcs: ScheduleParser = (text, needs) => {
  const schedule = emptySchedule();
  const { events, properties } = readCalendar(text);
  const zones = new Map<string, boolean>();
  const zoned = {
    zone: () => zoneNamed(properties.get('X-WR-TIMEZONE'), { ...needs, zones }),
    zones,
    counting: { daysLeft: MOST_DAYS_COUNTED },
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

function addEvent(
  schedule: ParsedSchedule,
  event: Event,
  moved: readonly Event[],
  needs: CalendarNeeds,
): void {
  const show = showOf(event);
  if (!show)
    return passOver(schedule, `an event without SUMMARY (UID ${valueOf(event, 'UID').slice(0, 80)})`);
  try {
    const rule = ruleOf(event, show, needs);
    const except = [
      ...rule.except,
      ...moved.flatMap((one) => timesAt(one, 'RECURRENCE-ID', rule.zone, needs)),
    ];
    if (!isCancelled(event))
      for (const each of [{ ...rule, except }, ...extraDates(event, rule, needs)]) addRule(schedule, each);
    // A moved one is the same show: its own words are about that day alone.
    for (const one of moved) if (!isCancelled(one)) addRule(schedule, ruleOf(one, show, needs));
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    passOver(schedule, `"${show.title}": ${error.message}`);
  }
}

class EventError extends Error {}

/** Where it was made tells nobody anything, and a calendar may have thousands of such events. */
const wrong = (message: string): EventError => withoutTrace(() => new EventError(message));

const isCancelled = (event: Event): boolean => valueOf(event, 'STATUS').toUpperCase() === 'CANCELLED';

const textOf = (event: Event, name: string): string => unescapeText(valueOf(event, name));

const showOf = (event: Event): ToldShow | undefined =>
  toldShow({
    title: textOf(event, 'SUMMARY'),
    description: textOfHtml(textOf(event, 'DESCRIPTION')),
    genre: textOf(event, 'CATEGORIES').split(',', 1)[0],
    image: valueOf(event, 'IMAGE'),
    homepage: valueOf(event, 'URL'),
  });

function ruleOf(event: Event, show: ToldShow, needs: CalendarNeeds): ScheduleRule {
  const start = event.get('DTSTART')?.[0];
  if (!start) throw wrong('it has no DTSTART');
  const time = timeOf(start);
  const zone = zoneOf(start, time, needs);
  const rule = { ...show, zone, start: time.local, lengthSeconds: lengthOf(event, time, zone, needs) };
  const except = timesAt(event, 'EXDATE', zone, needs);
  const text = event.has('RECURRENCE-ID') ? '' : valueOf(event, 'RRULE');
  return text === ''
    ? { ...rule, except }
    : { ...rule, except, recurrence: recurrenceOf(text, time.local, zone, needs) };
}

function recurrenceOf(
  text: string,
  start: Temporal.PlainDateTime,
  zone: string,
  { counting }: CalendarNeeds,
): string {
  try {
    const rule = parseRecurrence(text, start, zone);
    return rule.count === undefined ? text : endAfterCount(text, rule, start, counting);
  } catch (error) {
    throw wrong(`its RRULE: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** By the clock: a show of three hours on the night when clocks change still ends where the next begins. */
function lengthOf(event: Event, start: CalendarTime, zone: string, needs: CalendarNeeds): number | undefined {
  const end = event.get('DTEND')?.[0];
  if (!end) return parseLengthSeconds(valueOf(event, 'DURATION')) ?? (start.isDate ? 86_400 : undefined);
  const seconds = secondsOf(inZone(end, zone, needs)) - secondsOf(start.local);
  if (seconds <= 0) throw wrong('it ends before it starts');
  return seconds;
}

/** Of a clock that nobody ever sets, from whenever. */
const secondsOf = (time: Temporal.PlainDateTime): number =>
  dayNumber(time) * 86_400 + (time.hour * 60 + time.minute) * 60 + time.second;

function timeOf({ name, value }: Property): CalendarTime {
  const time = parseCalendarTime(value);
  if (!time || !isOfOurTimes(time.local)) throw wrong(`${name} "${value.slice(0, 40)}" is no time`);
  return time;
}

const zoneOf = ({ params }: Property, time: CalendarTime, needs: CalendarNeeds): string =>
  time.isUtc ? 'UTC' : zoneNamed(params.get('TZID'), needs);

/** Names of other makers say nothing here; then the station's own zone is meant, as the operator gives it. */
const zoneNamed = (
  name: string | undefined,
  { zone, zones }: Pick<CalendarNeeds, 'zone' | 'zones'>,
): string => (name !== undefined && zones.getOrInsertComputed(name, () => isZone(name)) ? name : zone());

/** A time as the clock of another zone shows it. */
function inZone(property: Property, zone: string, needs: CalendarNeeds): Temporal.PlainDateTime {
  const time = timeOf(property);
  const own = zoneOf(property, time, needs);
  return own === zone ? time.local : time.local.toZonedDateTime(own).withTimeZone(zone).toPlainDateTime();
}

/** Several values may stand in one property; a date alone means every start on that day. */
const timesAt = (event: Event, name: string, zone: string, needs: CalendarNeeds): string[] =>
  (event.get(name) ?? []).flatMap((property) =>
    property.value
      .split(',')
      .slice(0, 1000)
      .map((value) => {
        const one = { ...property, value };
        const local = inZone(one, zone, needs);
        return timeOf(one).isDate ? local.toPlainDate().toString() : local.toString();
      }),
  );

const extraDates = (event: Event, rule: ScheduleRule, needs: CalendarNeeds): ScheduleRule[] =>
  timesAt(event, 'RDATE', rule.zone, needs).map((date) => ({
    ...rule,
    start: Temporal.PlainDateTime.from(date),
    recurrence: undefined,
  }));
