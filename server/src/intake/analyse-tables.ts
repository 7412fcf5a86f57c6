import type { Queryable } from '../db/pool.ts';

const WRITTEN_TABLES =
  'stations, streams, station_genres, station_languages, station_records, aliases, images';
/** So many times as much written as at the last look is worth another. */
const GROWTH = 4;

/** Statements are planned once, for tables as they were: planned for empty ones they would read all of them in each batch. */
export const analyseTables = async (db: Queryable): Promise<void> => {
  await db.query({ text: `ANALYZE ${WRITTEN_TABLES}` });
};

/** Has the tables looked at after the first batch, the fourth, the sixteenth and so on. */
export class GrowingTables {
  readonly #db: Queryable;
  #batches = 0;
  #next = 1;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async grow(): Promise<void> {
    this.#batches += 1;
    if (this.#batches < this.#next) return;
    this.#next *= GROWTH;
    await analyseTables(this.#db);
  }
}
