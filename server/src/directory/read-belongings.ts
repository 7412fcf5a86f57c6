import type { Queryable } from '../db/pool.ts';
import {
  type IdsRow,
  affiliateIdsBetween,
  genreIdsBetween,
  languageIdsBetween,
  logosBetween,
} from './queries.ts';
import { readStreams } from './read-streams.ts';
import type { Belongings, Shared } from './station-draft.ts';

/** Tells what each station with an id in (afterId, lastId] has; undefined for one that cannot be heard. */
export async function readBelongings(
  db: Queryable,
  afterId: number,
  lastId: number,
  { texts, idLists }: Shared,
): Promise<(stationId: number) => Belongings | undefined> {
  const streamsOf = await readStreams(db, afterId, lastId, texts);
  const genres = idsByStation(await genreIdsBetween.run(db, [afterId, lastId]));
  const languages = idsByStation(await languageIdsBetween.run(db, [afterId, lastId]));
  const affiliates = idsByStation(await affiliateIdsBetween.run(db, [afterId, lastId]));
  const logos = new Set((await logosBetween.run(db, [afterId, lastId])).map((row) => row.item_id));
  return (id) => {
    const streams = streamsOf.get(id);
    if (!streams) return undefined;
    return {
      streams,
      genreIds: idLists.of(genres.get(id)),
      languageIds: idLists.of(languages.get(id)),
      affiliateIds: idLists.of(affiliates.get(id)),
      hasLogo: logos.has(id),
    };
  };
}

const idsByStation = (rows: readonly IdsRow[]): Map<number, string | null> =>
  new Map(rows.map((row) => [row.station_id, row.ids]));
