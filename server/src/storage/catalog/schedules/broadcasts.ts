import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  station_id: 'int8',
  show_id: 'int8',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
} as const;
const TITLED_COLUMNS = { ...COLUMNS, title: 'text', genre_id: 'int8?' } as const;

export type BroadcastRow = RowOf<typeof COLUMNS>;
export type TitledBroadcastRow = RowOf<typeof TITLED_COLUMNS>;

/** A week of five-minute bulletins; a longer schedule is truncated, not refused. */
const MAX_BROADCASTS = 2016;

/**
 * The broadcasts on air at some moment from `from` until before `until`, in order. No broadcast is longer than two
 * days (a constraint), so what is on air now started at most two days ago. The LIMIT of the inner query keeps
 * PostgreSQL from joining all shows in the order of their ids.
 */
export const listBroadcastsOfStation = statement(
  'broadcasts-of-station',
  TITLED_COLUMNS,
  `SELECT b.station_id, b.show_id, b.starts_at, b.ends_at, s.title, s.genre_id
   FROM broadcasts b CROSS JOIN LATERAL (SELECT title, genre_id FROM shows WHERE id = b.show_id LIMIT 1) s
   WHERE b.station_id = $1 AND b.starts_at > $2::timestamptz - interval '2 days' AND b.starts_at < $3
     AND b.ends_at > $2
   ORDER BY b.starts_at LIMIT ${MAX_BROADCASTS}`,
).all((stationId: number, { from, until }: { from: Temporal.Instant; until: Temporal.Instant }) => [
  stationId,
  from.toString(),
  until.toString(),
]);

const GUIDE_COLUMNS = { ...TITLED_COLUMNS, description: 'text?' } as const;
export type GuideRow = RowOf<typeof GUIDE_COLUMNS>;

/** The same of several stations, at most so many of each, unordered: a programme guide. */
export const listBroadcastsOfStations = statement(
  'broadcasts-of-stations',
  GUIDE_COLUMNS,
  `SELECT b.station_id, b.show_id, b.starts_at, b.ends_at, s.title, s.genre_id, s.description
   FROM unnest($1::bigint[]) AS asked (id)
   CROSS JOIN LATERAL (SELECT station_id, show_id, starts_at, ends_at FROM broadcasts
     WHERE station_id = asked.id AND starts_at > $2::timestamptz - interval '2 days' AND starts_at < $3 AND ends_at > $2
     ORDER BY starts_at LIMIT $4) AS b
   CROSS JOIN LATERAL (SELECT title, genre_id, left(description, 500) AS description FROM shows
     WHERE id = b.show_id LIMIT 1) AS s`,
).all(
  (
    stationIds: readonly number[],
    { from, until, mostEach }: { from: Temporal.Instant; until: Temporal.Instant; mostEach: number },
  ) => [stationIds, from.toString(), until.toString(), mostEach],
);

/** When and where a show is on air next, starting with current broadcasts. */
export const listBroadcastsOfShow = statement(
  'broadcasts-of-show',
  COLUMNS,
  `SELECT station_id, show_id, starts_at, ends_at FROM broadcasts
   WHERE show_id = $1 AND starts_at > $2::timestamptz - interval '2 days' AND ends_at > $2
   ORDER BY starts_at, station_id LIMIT $3`,
).all((showId: number, { from, limit }: { from: Temporal.Instant; limit: number }) => [
  showId,
  from.toString(),
  limit,
]);

/** The end of a station's last known broadcast; undefined if there is none, or if rules continue the schedule. */
export const findLastEnd = statement(
  'broadcasts-last',
  { ends_at: 'timestamptz' },
  `SELECT ends_at FROM broadcasts WHERE station_id = $1
     AND NOT EXISTS (SELECT FROM schedules WHERE station_id = $1 AND rules_until IS NOT NULL)
   ORDER BY starts_at DESC LIMIT 1`,
).value((stationId: number) => [stationId]);

export interface NewBroadcast {
  showId: number;
  start: Temporal.Instant;
  end: Temporal.Instant;
}

/** The time that a schedule covers. */
export interface PlannedWindow {
  from: Temporal.Instant;
  until: Temporal.Instant;
  /** Broadcasts that began before the window end here at the latest; inside the window. */
  endsOthers: Temporal.Instant;
}

const clear = statement(
  'broadcasts-clear',
  {},
  'DELETE FROM broadcasts WHERE station_id = $1 AND starts_at >= $2 AND starts_at < $3',
);

const endBefore = statement(
  'broadcasts-end-before',
  {},
  `UPDATE broadcasts SET ends_at = $2::timestamptz
   WHERE station_id = $1 AND starts_at > $2::timestamptz - interval '2 days' AND starts_at < $2 AND ends_at > $2`,
);

/** Replaces a station's broadcasts in a window. */
export async function replaceBroadcasts(
  client: Queryable,
  stationId: number,
  { from, until, endsOthers }: PlannedWindow,
  broadcasts: readonly NewBroadcast[],
): Promise<void> {
  await clear.run(client, [stationId, from.toString(), until.toString()]);
  await endBefore.run(client, [stationId, endsOthers.toString()]);
  await addBroadcasts(client, stationId, broadcasts);
}

const add = statement(
  'broadcasts-add',
  {},
  `INSERT INTO broadcasts (station_id, show_id, starts_at, ends_at)
   SELECT $1, u.show_id, u.starts_at, u.ends_at
   FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) AS u (show_id, starts_at, ends_at)
   ON CONFLICT (station_id, starts_at) DO NOTHING`,
);

const BATCH_SIZE = 1000;

/** Adds broadcasts, except where another begins at the same instant. */
export async function addBroadcasts(
  client: Queryable,
  stationId: number,
  broadcasts: readonly NewBroadcast[],
): Promise<void> {
  for (let at = 0; at < broadcasts.length; at += BATCH_SIZE) {
    const some = broadcasts.slice(at, at + BATCH_SIZE);
    await add.run(client, [
      stationId,
      some.map(({ showId }) => showId),
      some.map(({ start }) => start.toString()),
      some.map(({ end }) => end.toString()),
    ]);
  }
}

// One station at a time: its rows are adjacent in the primary key, and no index by time alone is needed.
const prune = statement(
  'broadcasts-prune',
  { station_id: 'int8' },
  `DELETE FROM broadcasts WHERE (station_id, starts_at) IN (
     SELECT b.station_id, b.starts_at FROM unnest($1::bigint[]) AS s (id)
     CROSS JOIN LATERAL (SELECT station_id, starts_at FROM broadcasts
       WHERE station_id = s.id AND starts_at < $2 ORDER BY starts_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS b)
   RETURNING station_id`,
);

/** Deletes a limited number of each station's oldest broadcasts before an instant; returns stations with more. */
export async function pruneBroadcasts(
  db: Queryable,
  stationIds: readonly number[],
  { before, mostEach }: { before: Temporal.Instant; mostEach: number },
): Promise<{ deleted: number; unfinished: number[] }> {
  const rows = await prune.run(db, [stationIds, before.toString(), mostEach]);
  const each = Map.groupBy(rows, ({ station_id: id }) => id);
  const unfinished = [...each].filter(([, deleted]) => deleted.length === mostEach).map(([id]) => id);
  return { deleted: rows.length, unfinished };
}
