import type { Pool } from 'pg';
import { replaceBroadcasts } from '../../catalog/broadcasts.ts';
import { listGenres } from '../../catalog/genres.ts';
import {
  type ScheduleRuleRow,
  holdSchedule,
  replaceRules,
  setRulesUntil,
} from '../../catalog/schedule-rules.ts';
import { type StationShow, nameShows, titleKey } from '../../catalog/station-shows.ts';
import { bumpCatalogue } from '../../catalog/version.ts';
import type { Queryable } from '../../db/pool.ts';
import { transaction } from '../../db/transaction.ts';
import type { ScheduleRule, ToldShow } from '../../formats/schedule/schedule.ts';
import { cleanHomepage } from '../clean-homepage.ts';
import { cleanLogo } from '../clean-logo.ts';
import { genresOfTag } from '../genres-of-tag.ts';
import type { SchedulePlan } from './plan.ts';

export interface ScheduleToWrite {
  stationId: number;
  format: string;
  now: Temporal.Instant;
  plan: SchedulePlan;
}

/** All of it or nothing, in one transaction; returns how many shows were new. */
export function writeSchedule(
  pool: Pool,
  { stationId, format, now, plan }: ScheduleToWrite,
): Promise<number> {
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
  told: ReadonlyMap<string, ToldShow>,
): Promise<Map<string, StationShow>> {
  const genreIds = new Map((await listGenres(client)).map(({ slug, id }) => [slug, id]));
  const genreId = (text: string): number | undefined =>
    genresOfTag(text)
      .map((slug) => genreIds.get(slug))
      .find((id) => id !== undefined);
  return new Map(
    [...told].map(([key, { title, hosts, description, genre, image, homepage }]) => [
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
