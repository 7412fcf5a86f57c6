import { parseJson } from '../../lib/parse-json.ts';
import { instantOf } from '../../lib/zone.ts';
import {
  addEntry,
  emptySchedule,
  isOfOurTimes,
  orUndefined,
  parseInstant,
  passOver,
  type ScheduleParser,
  textOfHtml,
  scheduledShow,
} from './schedule.ts';

/** AzuraCast's `GET /api/station/{id}/schedule`: what comes next, with Unix seconds. */
export const parseAzuracast: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  for (const item of objectsIn(parseScheduleJson(text))) {
    // Its description only repeats the kind and the name.
    const show = scheduledShow({ title: textAt(item, 'title') ?? textAt(item, 'name') });
    const start = show && (secondsAt(item, 'start_timestamp') ?? instantAt(item, 'start'));
    const end = start && (secondsAt(item, 'end_timestamp') ?? instantAt(item, 'end'));
    if (show && start && end) addEntry(schedule, { ...show, start, end });
    else passOver(schedule, `an entry without ${show ? 'start_timestamp and end_timestamp' : 'a title'}`);
  }
  return schedule;
};

/** For 1970 to 2200; a larger number is not in seconds. */
const LAST_SECOND = 7_258_118_400;

function secondsAt(item: JsonObject, key: string): Temporal.Instant | undefined {
  const value = item[key];
  if (typeof value !== 'number' || !(value >= 0 && value <= LAST_SECOND)) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(Math.round(value) * 1000);
}

/** Spinitron's `GET /api/shows?start=&end=`: one page of shows; hosts are only linked. */
export const parseSpinitron: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  const document = parseScheduleJson(text);
  for (const item of objectsIn(isObject(document) ? document['items'] : [])) {
    const show = scheduledShow({
      title: textAt(item, 'title'),
      description: textOfHtml(textAt(item, 'description') ?? ''),
      genre: textAt(item, 'category'),
      image: textAt(item, 'image'),
      homepage: textAt(item, 'url'),
    });
    const start = instantAt(item, 'start');
    const end = instantAt(item, 'end') ?? start?.add({ seconds: secondsOf(item['duration']) });
    if (show && start && end) addEntry(schedule, { ...show, start, end });
    else passOver(schedule, `a show without ${show ? 'start and end' : 'a title'}`);
  }
  return schedule;
};

const secondsOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value < 1e6 ? Math.round(value) : 0;

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** This week's days, then next week's: `nextmonday`. */
const KEYS = [...DAYS, ...DAYS.map((day) => `next${day}`)];

/** `GET /api/week-info` of LibreTime and Airtime: two weeks by the station's clock, without its zone. */
export const parseLibretime: ScheduleParser = (text, deps) => {
  const schedule = emptySchedule();
  const document = parseScheduleJson(text);
  const zone = deps.zone();
  const items = isObject(document) ? KEYS.flatMap((day) => objectsIn(document[day])) : [];
  for (const item of items) {
    const show = scheduledShow({
      title: textAt(item, 'name'),
      description: textOfHtml(textAt(item, 'description') ?? ''),
      genre: textAt(item, 'genre'),
      image: textAt(item, 'image_path'),
      homepage: textAt(item, 'url'),
    });
    const start = localTime(textAt(item, 'starts') ?? textAt(item, 'start_timestamp'));
    const end = localTime(textAt(item, 'ends') ?? textAt(item, 'end_timestamp'));
    if (show && start && end)
      addEntry(schedule, { ...show, start: instantOf(start, zone), end: instantOf(end, zone) });
    else passOver(schedule, `a show without ${show ? 'starts and ends' : 'a name'}`);
  }
  return schedule;
};

/** `2026-03-29 06:00:00`. */
function localTime(text = ''): Temporal.PlainDateTime | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?$/.test(text)) return undefined;
  const local = orUndefined(() => Temporal.PlainDateTime.from(text.replace(' ', 'T')));
  return local && isOfOurTimes(local) ? local : undefined;
}

/** The requested size of a picture; the address has a placeholder for it. */
const RECIPE = '640x640';

/** `schedules/{service}/{date}` of BBC RMS: modules, of which those with broadcasts are read. */
export const parseBbc: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  const document = parseScheduleJson(text);
  const modules = objectsIn(isObject(document) ? document['data'] : []);
  for (const item of modules.flatMap((module) => objectsIn(module['data']))) {
    const synopses = objectAt(item, 'synopses');
    const show = scheduledShow({
      title: textAt(objectAt(item, 'titles'), 'primary'),
      description: textAt(synopses, 'long') ?? textAt(synopses, 'medium') ?? textAt(synopses, 'short'),
      image: textAt(item, 'image_url')?.replace('{recipe}', RECIPE),
    });
    const [start, end] = [instantAt(item, 'start'), instantAt(item, 'end')];
    if (show && start && end) addEntry(schedule, { ...show, start, end });
    else passOver(schedule, `a broadcast without ${show ? 'start and end' : 'a title'}`);
  }
  return schedule;
};

/** Untrusted JSON: check the type of every value. */
type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => isObject(one)) : [];

const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isObject(value) ? value : {};
};

function textAt(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function parseScheduleJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the schedule is not valid JSON: ${why}`, { cause: error });
  }
}

const instantAt = (object: JsonObject, key: string): Temporal.Instant | undefined =>
  parseInstant(textAt(object, key));
