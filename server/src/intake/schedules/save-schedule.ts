import type { Pool } from 'pg';
import { type StationRow, findStation } from '../../catalog/stations.ts';
import { mergeSchedules } from '../../formats/schedule/merge.ts';
import { FORMATS, PARSERS, detectFormat } from '../../formats/schedule/parse.ts';
import type { ParsedSchedule } from '../../formats/schedule/schedule.ts';
import { guideId } from '../../lib/guide-id.ts';
import { isZone } from '../../lib/local-time.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { type SchedulePlan, planSchedule } from './plan.ts';
import { writeSchedule } from './write-schedule.ts';

export interface ScheduleToSave {
  pool: Pool;
  stationId: number;
  /** One, or one for each of several days. */
  texts: readonly string[];
  /** One of `FORMATS`; found by looking at the content when nobody says. */
  format?: string | undefined;
  /** Instead of the zone that is known of the station. */
  zone?: string | undefined;
  channel?: string | undefined;
  /** Of what was read before: telling the same again writes nothing. */
  digest?: string | undefined;
  now: Temporal.Instant;
}

export interface SavedSchedule {
  format: string;
  broadcasts: number;
  rules: number;
  newShows: number;
  from: Temporal.Instant;
  until: Temporal.Instant;
  passedOver: string[];
  digest: string;
  /** False when nothing was written. */
  isNew: boolean;
}

/** Puts what a schedule tells in place of what the station had in the time that it covers. */
export async function saveSchedule(asked: ScheduleToSave): Promise<SavedSchedule> {
  const { pool, stationId, now } = asked;
  const station = await findStation(pool, stationId);
  if (!station) throw noStation(stationId);
  const { format, parsed } = parseTexts(station, asked);
  refuseEmpty(parsed);
  const plan = planSchedule(parsed, now);
  const digest = digestOf(plan);
  const isNew = digest !== asked.digest;
  const newShows = isNew ? await writeSchedule(pool, { stationId, format, now, plan }) : 0;
  const { broadcasts, rules, window, passedOver } = plan;
  const { from, until } = window;
  const counts = { broadcasts: broadcasts.length, rules: rules.length, newShows };
  return { format, ...counts, from, until, passedOver, digest, isNew };
}

export const noStation = (stationId: number): Error =>
  new Error(`there is no station ${guideId('s', stationId)}: look its id up in the directory`);

function parseTexts(
  station: StationRow,
  { texts, format: given, zone, channel }: ScheduleToSave,
): { format: string; parsed: ParsedSchedule } {
  const format = given ?? detectFormat(texts[0] ?? '');
  const parse = PARSERS.get(format ?? '');
  if (format === undefined || !parse) throw unknownFormat(given);
  const needs = { zone: () => zoneOf(station, zone), channel };
  return { format, parsed: mergeSchedules(texts.map((text) => parse(text, needs))) };
}

/** Rules go on by themselves: what they make of the coming weeks is no news. */
const digestOf = ({ rules, broadcasts, shows }: SchedulePlan): string =>
  uuidOf(JSON.stringify([rules, rules.length > 0 ? [] : broadcasts, [...shows]]));

export const unknownFormat = (given: string | undefined): Error =>
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
