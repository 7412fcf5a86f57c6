import { type SavedSchedule, saveSchedule, type ScheduleToSave } from '../../../core/on-air/save-schedule.ts';
import type { Bytes } from '../../../formats/plain-bytes.ts';
import { readText } from '../../../formats/schedule/parse.ts';

export interface ScheduleImport extends Omit<ScheduleToSave, 'texts' | 'digest'> {
  bytes: Bytes;
}

/** Reads a station's schedule from a file and replaces the station's broadcasts in the time that it covers. */
export async function importSchedule({ bytes, ...asked }: ScheduleImport): Promise<SavedSchedule> {
  return saveSchedule({ ...asked, texts: [await readText(bytes)] });
}
