import type { Pool } from 'pg';

/** The tables that an import of stations writes, with the order that makes their rows comparable. */
const TABLES = {
  stations: 'id',
  streams: 'id',
  station_genres: 'station_id, genre_id',
  station_languages: 'station_id, language_id',
  station_records: 'source, record',
  aliases: 'scheme, foreign_id',
  images: 'kind, item_id',
};

/** Count and content of every table, row for row, but for when rows were written. */
export async function catalogueState(pool: Pool): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const { rows } = await pool.query<{ count: number; digest: string }>(
      `SELECT count(*), md5(string_agg(md5((to_jsonb(t) - 'created_at' - 'updated_at')::text), '' ORDER BY ${order}))
         AS digest FROM ${table} t`,
    );
    state[table] = `${rows[0]?.count} rows ${rows[0]?.digest}`;
  }
  return state;
}

/** Which station and stream each record belongs to. */
export async function guideIds(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ record: string; ids: string }>(
    `SELECT source || ' ' || record AS record, 's' || station_id || ' e' || stream_id AS ids FROM station_records`,
  );
  return new Map(rows.map(({ record, ids }) => [record, ids]));
}
