import { type JsonObject, instantAt, objectsIn, parseScheduleJson, textAt } from './json-value.ts';
import { type ScheduleParser, addEntry, emptySchedule, passOver } from './schedule.ts';
import { toldShow } from './told-show.ts';

/** `GET /api/station/{id}/schedule` of AzuraCast: what comes next, with Unix seconds. */
export const parseAzuracast: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  for (const item of objectsIn(parseScheduleJson(text))) {
    // Its description only repeats the kind and the name.
    const show = toldShow({ title: textAt(item, 'title') ?? textAt(item, 'name') });
    const start = show && (secondsAt(item, 'start_timestamp') ?? instantAt(item, 'start'));
    const end = start && (secondsAt(item, 'end_timestamp') ?? instantAt(item, 'end'));
    if (show && start && end) addEntry(schedule, { ...show, start, end });
    else passOver(schedule, `an entry without ${show ? 'start_timestamp and end_timestamp' : 'a title'}`);
  }
  return schedule;
};

/** Of the years 1970 to 2200; a larger number is no count of seconds. */
const LAST_SECOND = 7_258_118_400;

function secondsAt(item: JsonObject, key: string): Temporal.Instant | undefined {
  const value = item[key];
  if (typeof value !== 'number' || !(value >= 0 && value <= LAST_SECOND)) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(Math.round(value) * 1000);
}
