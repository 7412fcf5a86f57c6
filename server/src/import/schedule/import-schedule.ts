import type { Pool } from 'pg';
import { type StationRow, findStation } from '../../catalog/stations.ts';
import type { Bytes } from '../../formats/plain-bytes.ts';
import { FORMATS, PARSERS, detectFormat } from '../../formats/schedule/parse.ts';
import type { ParsedSchedule } from '../../formats/schedule/schedule.ts';
import { guideId } from '../../lib/guide-id.ts';
import { isZone } from '../../lib/local-time.ts';
import { planSchedule } from './plan.ts';
import { readText } from './read-text.ts';
import { writeSchedule } from './write-schedule.ts';

export interface ScheduleImport {
  pool: Pool;
  stationId: number;
  bytes: Bytes;
  /** One of `FORMATS`; found by looking at the content when nobody says. */
  format?: string | undefined;
  /** Instead of the zone that is known of the station. */
  zone?: string | undefined;
  channel?: string | undefined;
  now: Temporal.Instant;
}

export interface ScheduleSummary {
  format: string;
  broadcasts: number;
  rules: number;
  newShows: number;
  from: Temporal.Instant;
  until: Temporal.Instant;
  passedOver: string[];
}

/** Reads a station's schedule and puts it in place of what the station had in the time that it covers. */
export async function importSchedule(asked: ScheduleImport): Promise<ScheduleSummary> {
  const { pool, stationId, now } = asked;
  const station = await findStation(pool, stationId);
  if (!station)
    throw new Error(`there is no station ${guideId('s', stationId)}: look its id up in the directory`);
  const text = await readText(asked.bytes);
  const format = asked.format ?? detectFormat(text);
  const parse = PARSERS.get(format ?? '');
  if (format === undefined || !parse) throw unknownFormat(asked.format);
  const zone = (): string => zoneOf(station, asked.zone);
  const parsed = parse(text, { zone, channel: asked.channel });
  refuseEmpty(parsed);
  const plan = planSchedule(parsed, now);
  const newShows = await writeSchedule(pool, { stationId, format, now, plan });
  const { broadcasts, rules, window, passedOver } = plan;
  return { format, broadcasts: broadcasts.length, rules: rules.length, newShows, ...window, passedOver };
}

const unknownFormat = (given: string | undefined): Error =>
  new Error(
    `${given === undefined ? 'the content looks like no schedule that is known here' : `there is no format '${given}'`}: give --format with one of ${FORMATS.join(', ')}`,
  );

function zoneOf({ id, zone }: StationRow, given: string | undefined): string {
  const name = given ?? zone ?? undefined;
  if (name === undefined)
    throw new Error(
      `the schedule tells the time without a zone, and that of station ${guideId('s', id)} is not known: give --zone, such as Europe/Berlin`,
    );
  if (isZone(name)) return name;
  throw new Error(`'${name}' is no time zone: give --zone a name such as Europe/Berlin`);
}

function refuseEmpty({ entries, rules, passedOver }: ParsedSchedule): void {
  if (entries.length > 0 || rules.length > 0) return;
  const [why] = passedOver;
  throw new Error(
    `nothing in the schedule can be used, so nothing was changed${why === undefined ? '' : `: ${why}`}`,
  );
}
