import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

/** A song that a station played, or plays. */
export interface PlayedSong {
  stationId: number;
  startedAtMs: number;
  artist?: string | undefined;
  title: string;
  album?: string | undefined;
}

const SONG = { started_at: 'timestamptz', artist: 'text?', title: 'text', album: 'text?' } as const;
export type SongRow = RowOf<typeof SONG>;

// The first process to hear a song stores it; the same song again within the hour is a late report of it.
const keep = statement(
  'songs-keep',
  {},
  `INSERT INTO station_songs (station_id, started_at, artist, title, album)
   SELECT u.station_id, u.started_at, u.artist, u.title, u.album
   FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])
     AS u (station_id, started_at, artist, title, album)
   CROSS JOIN LATERAL (SELECT id FROM stations WHERE id = u.station_id LIMIT 1) AS s
   LEFT JOIN LATERAL (SELECT title, artist, started_at FROM station_songs WHERE station_id = u.station_id
     ORDER BY started_at DESC LIMIT 1) AS newest ON true
   WHERE (newest.title, newest.artist) IS DISTINCT FROM (u.title, u.artist)
     OR newest.started_at < u.started_at - interval '1 hour'
   ON CONFLICT DO NOTHING`,
);

/** The length limit of the columns. */
const MAX_LENGTH = 300;
const fitting = (text: string | undefined): string | null => text?.slice(0, MAX_LENGTH) || null;

/** Per station: twice what a list shows. */
const MAX_KEPT = 100;
const KEPT = { hours: 7 * 24 };

/** Stores songs that began to play, and deletes those stations' oldest; a song that is already stored is skipped. */
export async function keepSongs(db: Queryable, songs: readonly PlayedSong[]): Promise<void> {
  const given = withoutRepeats(songs.filter(({ title }) => title !== ''));
  if (given.length === 0) return;
  const ids = given.map(({ stationId }) => stationId);
  await keep.run(db, [
    ids,
    given.map(({ startedAtMs }) => instantOf(startedAtMs).toString()),
    given.map(({ artist }) => fitting(artist)),
    given.map(({ title }) => fitting(title)),
    given.map(({ album }) => fitting(album)),
  ]);
  const latest = instantOf(Math.max(...given.map(({ startedAtMs }) => startedAtMs)));
  await pruneStations(db, [...new Set(ids)], latest);
}

const instantOf = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(Math.round(ms));

/** A statement does not see its own writes: of the same song twice in a row only the first is kept. */
function withoutRepeats(songs: readonly PlayedSong[]): PlayedSong[] {
  const last = new Map<number, string>();
  return songs.filter(({ stationId, artist = '', title }) => {
    const song = `${artist}\n${title}`;
    if (last.get(stationId) === song) return false;
    last.set(stationId, song);
    return true;
  });
}

/** What a station played, the latest first. */
export const listSongs = statement(
  'songs-of-station',
  SONG,
  `SELECT started_at, artist, title, album FROM station_songs WHERE station_id = $1
   ORDER BY started_at DESC LIMIT $2`,
).all((stationId: number, most: number) => [stationId, most]);

const withSongs = statement(
  'songs-stations-after',
  { station_id: 'int8' },
  'SELECT DISTINCT station_id FROM station_songs WHERE station_id > $1 ORDER BY station_id LIMIT $2',
);

const prune = statement(
  'songs-prune',
  { station_id: 'int8' },
  `DELETE FROM station_songs AS s USING (
     SELECT station.id, greatest($3::timestamptz, (SELECT started_at FROM station_songs
       WHERE station_id = station.id ORDER BY started_at DESC OFFSET $2 - 1 LIMIT 1)) AS since
     FROM unnest($1::bigint[]) AS station (id)) AS kept
   WHERE s.station_id = kept.id AND s.started_at < kept.since RETURNING s.station_id`,
);

async function pruneStations(
  db: Queryable,
  stationIds: readonly number[],
  now: Temporal.Instant,
): Promise<number> {
  const rows = await prune.run(db, [stationIds, MAX_KEPT, now.subtract(KEPT).toString()]);
  return rows.length;
}

const STATION_BATCH = 100;

/** Deletes old songs of stations that have not been heard since; returns how many. Safe to run concurrently. */
export async function pruneSongs(
  db: Queryable,
  now: Temporal.Instant,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    if (signal?.aborted === true) break;
    const rows = await withSongs.run(db, [after, STATION_BATCH]);
    const ids = rows.map(({ station_id: id }) => id);
    total += await pruneStations(db, ids, now);
    after = ids.at(-1);
  }
  return total;
}
