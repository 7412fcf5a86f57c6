import type { Queryable } from '../db/pool.ts';
import { stationsAfter } from './queries.ts';
import { MOST_STATIONS } from './rank-stations.ts';
import { readBelongings } from './read-belongings.ts';
import { type Shared, type StationDraft, draftStation } from './station-draft.ts';

/**
 * Every listed station that can be heard, in order of id. Read batch by batch, so that beyond the result only one batch
 * of rows is in memory, and requests are answered between two batches.
 */
export async function readStations(
  db: Queryable,
  shared: Shared,
  batchSize: number,
): Promise<StationDraft[]> {
  const drafts: StationDraft[] = [];
  let afterId = 0;
  for (;;) {
    const rows = await stationsAfter.run(db, [afterId, batchSize]);
    const lastId = rows.at(-1)?.id;
    if (lastId === undefined) return drafts;
    const belongingsOf = await readBelongings(db, afterId, lastId, shared);
    for (const row of rows) {
      const belongings = belongingsOf(row.id);
      // What cannot be heard is on no menu.
      if (belongings) drafts.push(draftStation(row, belongings, shared));
    }
    if (drafts.length > MOST_STATIONS) throw new Error(TOO_MANY);
    afterId = lastId;
  }
}

const TOO_MANY = `the catalogue has more than ${MOST_STATIONS} stations, which one directory does not hold; unlist some`;
