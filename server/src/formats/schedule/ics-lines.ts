import { withLineFeeds } from '../decode-text.ts';
import { orUndefined } from './schedule.ts';

/** One property of a calendar: `DTSTART;TZID=Europe/Berlin:20260104T060000`. */
export interface Property {
  name: string;
  params: ReadonlyMap<string, string>;
  value: string;
}

/** The properties of one VEVENT, by name; a name may occur several times. */
export type Event = ReadonlyMap<string, readonly Property[]>;

const MAX_EVENTS = 20_000;
const MAX_LINE_LENGTH = 100_000;
/** Inside events and elsewhere: an alarm's DESCRIPTION is not the event's. */
const NOT_READ = new Set(['VALARM', 'VTIMEZONE', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

interface Calendar {
  events: Event[];
  /** The calendar's own properties, outside its events. */
  properties: ReadonlyMap<string, string>;
}

export function readCalendar(text: string): Calendar {
  const events: Event[] = [];
  const properties = new Map<string, string>();
  let event: Map<string, Property[]> | undefined;
  let skipped = 0;
  for (const line of unfolded(text)) {
    const property = parseProperty(line);
    if (!property) continue;
    const { name, value } = property;
    const isEdge = name === 'BEGIN' || name === 'END';
    const component = isEdge ? value.trim().toUpperCase() : '';
    if (isEdge && NOT_READ.has(component)) skipped += name === 'BEGIN' ? 1 : -1;
    else if (skipped > 0) continue;
    else if (isEdge && component === 'VEVENT') {
      if (name === 'END' && event) events.push(event);
      if (events.length > MAX_EVENTS) throw new Error(`the calendar has over ${MAX_EVENTS} events: split it`);
      event = name === 'BEGIN' ? new Map() : undefined;
    } else if (event) add(event, property);
    else if (!isEdge && properties.size < 100) properties.set(name, value);
  }
  if (event) throw new Error('the calendar ends in the middle of an event: it was cut short, fetch it again');
  return { events, properties };
}

const MAX_PER_NAME = 1000;

function add(event: Map<string, Property[]>, property: Property): void {
  const same = event.get(property.name);
  if (!same) event.set(property.name, [property]);
  else if (same.length < MAX_PER_NAME) same.push(property);
}

/** A folded line continues in the next, which then begins with a space or a tab. */
function* unfolded(text: string): Generator<string> {
  let line = '';
  for (const raw of withLineFeeds(text).split('\n')) {
    if (raw === '') continue;
    if (raw.startsWith(' ') || raw.startsWith('\t')) {
      if (line.length < MAX_LINE_LENGTH) line += raw.slice(1, MAX_LINE_LENGTH);
      continue;
    }
    if (line !== '') yield line;
    line = raw.slice(0, MAX_LINE_LENGTH);
  }
  if (line !== '') yield line;
}

const PROPERTY = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/s;

function parseProperty(line: string): Property | undefined {
  const [, name, params = '', value = ''] = PROPERTY.exec(line) ?? [];
  if (name === undefined) return undefined;
  return { name: name.toUpperCase(), params: params === '' ? NO_PARAMS : parseParams(params), value };
}

/** Most properties have none. */
const NO_PARAMS: ReadonlyMap<string, string> = new Map();

function parseParams(params: string): ReadonlyMap<string, string> {
  const pairs = params.matchAll(/;([A-Za-z0-9-]+)=(?:"([^"]*)"|([^";:]*))/g);
  return new Map([...pairs].map(([, key = '', quoted, plain = '']) => [key.toUpperCase(), quoted ?? plain]));
}

/** `Nachrichten\, Wetter` -> `Nachrichten, Wetter`. */
export const unescapeText = (text: string): string =>
  text.replaceAll(/\\([\\;,nN])/g, (_, char: string) => (char === 'n' || char === 'N' ? '\n' : char));

/** A calendar's time: by a clock named beside it, or in UTC. */
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

/** `PT3H`, `P1DT30M`; undefined if missing or negative. */
export function parseLengthSeconds(text: string): number | undefined {
  const found = DURATION.exec(text.trim());
  if (!found) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const total = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
  return total > 0 ? total : undefined;
}
