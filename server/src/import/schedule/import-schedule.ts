import type { Bytes } from '../../formats/plain-bytes.ts';
import { readText } from '../../formats/schedule/read-text.ts';
import {
  type SavedSchedule,
  type ScheduleToSave,
  saveSchedule,
} from '../../intake/schedules/save-schedule.ts';

export interface ScheduleImport extends Omit<ScheduleToSave, 'texts' | 'digest'> {
  bytes: Bytes;
}

/** Reads a station's schedule from a file and puts it in place of what the station had in the time that it covers. */
export async function importSchedule({ bytes, ...asked }: ScheduleImport): Promise<SavedSchedule> {
  return saveSchedule({ ...asked, texts: [await readText(bytes)] });
}
