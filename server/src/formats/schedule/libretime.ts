import { instantOf } from '../../lib/local-time.ts';
import { isOfOurTimes, orUndefined } from './parse-instant.ts';
import { isObject, objectsIn, parseScheduleJson, textAt } from './json-value.ts';
import { type ScheduleParser, addEntry, emptySchedule, passOver } from './schedule.ts';
import { textOfHtml, toldShow } from './told-show.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** This week's days, then the next one's: `nextmonday`. */
const KEYS = [...DAYS, ...DAYS.map((day) => `next${day}`)];

/** `GET /api/week-info` of LibreTime and Airtime: two weeks by the station's clock, without its zone. */
export const parseLibretime: ScheduleParser = (text, needs) => {
  const schedule = emptySchedule();
  const document = parseScheduleJson(text);
  const zone = needs.zone();
  const items = isObject(document) ? KEYS.flatMap((day) => objectsIn(document[day])) : [];
  for (const item of items) {
    const show = toldShow({
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
