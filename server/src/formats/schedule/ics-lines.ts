import { withLineFeeds } from '../line-feeds.ts';

/** One property of a calendar: `DTSTART;TZID=Europe/Berlin:20260104T060000`. */
export interface Property {
  name: string;
  params: ReadonlyMap<string, string>;
  value: string;
}

/** The properties of one VEVENT, by name; a name may come several times. */
export type Event = ReadonlyMap<string, readonly Property[]>;

const MOST_EVENTS = 20_000;
const LONGEST_LINE = 100_000;
/** Inside an event, and in all: an alarm's own DESCRIPTION is none of the event's. */
const NOT_READ = new Set(['VALARM', 'VTIMEZONE', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

export interface Calendar {
  events: Event[];
  /** What the calendar says of itself, outside its events. */
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
      if (events.length > MOST_EVENTS)
        throw new Error(`the calendar has over ${MOST_EVENTS} events: split it`);
      event = name === 'BEGIN' ? new Map() : undefined;
    } else if (event) add(event, property);
    else if (!isEdge && properties.size < 100) properties.set(name, value);
  }
  if (event) throw new Error('the calendar ends in the middle of an event: it was cut, fetch it again');
  return { events, properties };
}

const MOST_OF_A_NAME = 1000;

function add(event: Map<string, Property[]>, property: Property): void {
  const same = event.get(property.name);
  if (!same) event.set(property.name, [property]);
  else if (same.length < MOST_OF_A_NAME) same.push(property);
}

/** Long lines go on in the next, which then begins with a space or a tab. */
function* unfolded(text: string): Generator<string> {
  let line = '';
  for (const raw of withLineFeeds(text).split('\n')) {
    if (raw === '') continue;
    if (raw.startsWith(' ') || raw.startsWith('\t')) {
      if (line.length < LONGEST_LINE) line += raw.slice(1, LONGEST_LINE);
      continue;
    }
    if (line !== '') yield line;
    line = raw.slice(0, LONGEST_LINE);
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
