import type { Queryable } from '../db/pool.ts';
import { type RegionRow, regionsOfIds } from './queries.ts';

const ROOT_ID = 0;

/** The regions of these ids and all their ancestors, the root in any case. One query a level of the tree. */
export async function readRegions(db: Queryable, ids: Iterable<number>): Promise<RegionRow[]> {
  const asked = new Set<number>();
  let found: RegionRow[] = [];
  let level = new Set([ROOT_ID, ...ids]);
  while (level.size > 0) {
    for (const id of level) asked.add(id);
    const rows = await regionsOfIds.run(db, [[...level]]);
    found = found.concat(rows);
    level = new Set(rows.map((row) => row.parent_id).filter((id) => id !== null)).difference(asked);
  }
  return found;
}
