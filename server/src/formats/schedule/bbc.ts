import { instantAt, isObject, objectAt, objectsIn, parseScheduleJson, textAt } from './json-value.ts';
import { type ScheduleParser, addEntry, emptySchedule, passOver } from './schedule.ts';
import { toldShow } from './told-show.ts';

/** A size that their picture server is asked for; the address leaves it open. */
const RECIPE = '640x640';

/** `schedules/{service}/{date}` of BBC RMS: modules, of which those with broadcasts are read. */
export const parseBbc: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  const document = parseScheduleJson(text);
  const modules = objectsIn(isObject(document) ? document['data'] : []);
  for (const item of modules.flatMap((module) => objectsIn(module['data']))) {
    const synopses = objectAt(item, 'synopses');
    const show = toldShow({
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
