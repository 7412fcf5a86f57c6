import { instantAt, isObject, objectsIn, parseScheduleJson, textAt } from './json-value.ts';
import { type ScheduleParser, addEntry, emptySchedule, passOver } from './schedule.ts';
import { textOfHtml, toldShow } from './told-show.ts';

/** `GET /api/shows?start=&end=` of Spinitron: one page of shows; who hosts them is only linked to. */
export const parseSpinitron: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  const document = parseScheduleJson(text);
  for (const item of objectsIn(isObject(document) ? document['items'] : [])) {
    const show = toldShow({
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
