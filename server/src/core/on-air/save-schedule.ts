import type { Pool } from 'pg';
import { detectFormat, FORMATS, PARSERS } from '../../formats/schedule/parse.ts';
import {
  mergeSchedules,
  type ParsedSchedule,
  type ScheduleRule,
  type ScheduledShow,
} from '../../formats/schedule/schedule.ts';
import { guideId } from '../../lib/guide-id.ts';
import { uuidOf } from '../../lib/ids.ts';
import { isZone } from '../../lib/zone.ts';
import { replaceBroadcasts } from '../../storage/catalog/schedules/broadcasts.ts';
import {
  holdSchedule,
  replaceRules,
  type ScheduleRuleRow,
  setRulesUntil,
} from '../../storage/catalog/schedules/schedule-rules.ts';
import { listGenres } from '../../storage/catalog/stations/station-groups.ts';
import { nameShows, type StationShow, titleKey } from '../../storage/catalog/stations/station-shows.ts';
import { findStationRow, type StationRow } from '../../storage/catalog/stations/stations.ts';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { cleanHomepage, cleanLogo } from '../cleaning/clean-homepage.ts';
import { genresOfTag } from '../cleaning/genres.ts';
import { planSchedule, type SchedulePlan } from './plan.ts';

export interface ScheduleToSave {
  pool: Pool;
  stationId: number;
  /** One, or one per day. */
  texts: readonly string[];
  /** One of `FORMATS`; detected from the content when undefined. */
  format?: string | undefined;
  /** Instead of the station's known zone. */
  zone?: string | undefined;
  channel?: string | undefined;
  /** Of the schedule read before: an unchanged schedule writes nothing. */
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

/** Replaces the station's broadcasts in the time that the schedule covers. */
export async function saveSchedule(request: ScheduleToSave): Promise<SavedSchedule> {
  const { pool, stationId, now } = request;
  const station = await findStationRow(pool, stationId);
  if (!station) throw noStation(stationId);
  const { format, parsed } = parseTexts(station, request);
  refuseEmpty(parsed);
  const plan = planSchedule(parsed, now);
  const digest = digestOf(plan);
  const isNew = digest !== request.digest;
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
  const deps = { zone: () => zoneOf(station, zone), channel };
  return { format, parsed: mergeSchedules(texts.map((text) => parse(text, deps))) };
}

/** Rules expand by themselves: their broadcasts of the coming weeks are not a change. */
const digestOf = ({ rules, broadcasts, shows }: SchedulePlan): string =>
  uuidOf(JSON.stringify([rules, rules.length > 0 ? [] : broadcasts, [...shows]]));

export const unknownFormat = (given: string | undefined): Error =>
  new Error(
    `${given === undefined ? 'the content is in no known schedule format' : `there is no format '${given}'`}: give --format with one of ${FORMATS.join(', ')}`,
  );

function zoneOf({ id, zone }: StationRow, given: string | undefined): string {
  const name = given ?? zone ?? undefined;
  if (name === undefined)
    throw new Error(
      `the schedule has times without a zone, and the zone of station ${guideId('s', id)} is unknown: give --zone, such as Europe/Berlin`,
    );
  if (isZone(name)) return name;
  throw new Error(`'${name}' is not a time zone: give --zone a name such as Europe/Berlin`);
}

function refuseEmpty({ entries, rules, passedOver }: ParsedSchedule): void {
  if (entries.length > 0 || rules.length > 0) return;
  const [why] = passedOver;
  throw new Error(
    `nothing in the schedule can be used, so nothing was changed${why === undefined ? '' : `: ${why}`}`,
  );
}

interface ScheduleToWrite {
  stationId: number;
  format: string;
  now: Temporal.Instant;
  plan: SchedulePlan;
}

/** One transaction; returns how many shows were new. */
function writeSchedule(pool: Pool, { stationId, format, now, plan }: ScheduleToWrite): Promise<number> {
  return transaction(pool, async (client) => {
    await holdSchedule(client, stationId, { format, readAt: now });
    const shows = await toShows(client, plan.shows);
    const { ids, added } = await nameShows(client, stationId, shows);
    const showIdOf = (key: string): number => idIn(ids, key);
    const broadcasts = plan.broadcasts.map(({ key, start, end }) => ({ showId: showIdOf(key), start, end }));
    await replaceBroadcasts(client, stationId, plan.window, broadcasts);
    if (plan.rules.length > 0) {
      const rules = plan.rules.map((rule) => toRow(rule, showIdOf(titleKey(rule.title))));
      await replaceRules(client, stationId, rules);
      await setRulesUntil(client, stationId, plan.window.until);
    }
    await bumpCatalogue(client);
    return added;
  });
}

function idIn(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`the show "${key}" was not named`);
  return id;
}

async function toShows(
  client: Queryable,
  said: ReadonlyMap<string, ScheduledShow>,
): Promise<Map<string, StationShow>> {
  const genreIds = new Map((await listGenres(client)).map(({ slug, id }) => [slug, id]));
  const genreId = (text: string): number | undefined =>
    genresOfTag(text)
      .map((slug) => genreIds.get(slug))
      .find((id) => id !== undefined);
  return new Map(
    [...said].map(([key, { title, hosts, description, genre, image, homepage }]) => [
      key,
      {
        title,
        hosts,
        description,
        genreId: genre === undefined ? undefined : genreId(genre),
        image: image === undefined ? undefined : cleanLogo(image),
        homepage: homepage === undefined ? undefined : cleanHomepage(homepage),
      },
    ]),
  );
}

const toRow = (
  { zone, start, lengthSeconds, recurrence, except }: ScheduleRule,
  showId: number,
): ScheduleRuleRow => ({
  show_id: showId,
  zone,
  starts: start.toString(),
  length_seconds: lengthSeconds ?? null,
  recurrence: recurrence ?? null,
  except_starts: [...except],
});
