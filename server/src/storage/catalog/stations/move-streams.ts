import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

/** What went from one station to another, so that it can go back. */
export interface Moved {
  streams: readonly number[];
  /** With their place among the records before. */
  records: readonly { source: string; record: string; ordinal: number }[];
  aliases: readonly { scheme: string; foreign_id: string }[];
  reports: readonly number[];
  /** Hashes of a broadcaster's keys, in hexadecimal. */
  keys: readonly string[];
  songs: readonly string[];
  presets: readonly { account_id: number; id: number }[];
  /** Whether the station's schedule, with shows and broadcasts, went too. */
  schedule: boolean;
  /** Stations that had been merged into the one that went. */
  followers: readonly number[];
}

export const listStreamIds = statement(
  'station-stream-ids',
  { id: 'int8' },
  'SELECT id FROM streams WHERE station_id = $1 ORDER BY id',
).values((stationId: number) => [stationId]);

const part = statement(
  'station-part',
  { id: 'int8' },
  `INSERT INTO stations (name, name_key, homepage_host, country_id, region_id, latitude, longitude, zone, relay, pinned)
   SELECT name, name_key, homepage_host, country_id, region_id, latitude, longitude, zone, relay,
     CASE WHEN 'relay' = ANY (pinned) THEN '{relay}'::text[] ELSE '{}' END FROM stations WHERE id = $1
   RETURNING id`,
);

/** A new station beside an old one, for some of its streams; its records will say more of it. What it says about relays stays. */
export async function partStation(db: Queryable, id: number): Promise<number> {
  const [row] = await part.run(db, [id]);
  if (!row) throw new Error(`station ${id} is gone`);
  return row.id;
}

/** Moves all that a station has to another one, which then stands for both. */
export async function joinStation(db: Queryable, keptId: number, goneId: number): Promise<Moved> {
  const streams = await moveAllStreams.run(db, [keptId, goneId]);
  const records = await moveRecords.run(db, [keptId, goneId]);
  const belongings = await moveBelongings(db, keptId, goneId);
  const followers = await markMerged(db, goneId, keptId);
  return { streams: streams.map(({ id }) => id), records, ...belongings, followers };
}

const moveAllStreams = statement(
  'merge-streams',
  { id: 'int8' },
  'UPDATE streams SET station_id = $1, updated_at = now() WHERE station_id = $2 RETURNING id',
);

/** Stands before the witness of a record once for each merge of an operator that moved it. */
export const BY_HAND = 'by hand; ';

// They get new places, after those of the station that stays: it is derived from its own records first.
const moveRecords = statement(
  'merge-records',
  { source: 'text', record: 'text', ordinal: 'int8' },
  `UPDATE station_records r SET station_id = $1, ordinal = m.fresh, witness = left('${BY_HAND}' || coalesce(r.witness, ''), 200)
   FROM (SELECT source, record, ordinal, nextval(pg_get_serial_sequence('station_records', 'ordinal')) AS fresh
     FROM (SELECT source, record, ordinal FROM station_records WHERE station_id = $2 ORDER BY ordinal) AS o) AS m
   WHERE r.station_id = $2 AND r.source = m.source AND r.record = m.record
   RETURNING r.source, r.record, m.ordinal`,
);

const merge = statement(
  'station-merge',
  { id: 'int8' },
  'UPDATE stations SET merged_into = $2, updated_at = now() WHERE id = $1 OR merged_into = $1 RETURNING id',
);

/** One station stands for another from now on, and for those that had been merged into it; returns these. */
export const markMerged = async (db: Queryable, goneId: number, keptId: number): Promise<number[]> =>
  (await merge.run(db, [goneId, keptId])).map(({ id }) => id).filter((id) => id !== goneId);

export const markUnmerged = statement(
  'station-unmerge',
  { id: 'int8' },
  `UPDATE stations SET merged_into = CASE WHEN id = $1 THEN NULL::bigint ELSE $1 END, updated_at = now()
   WHERE merged_into = $2 AND (id = $1 OR id = ANY ($3::bigint[])) RETURNING id`,
).command((goneId: number, keptId: number, followers: readonly number[]) => [goneId, keptId, followers]);

const moveSome = statement(
  'split-streams',
  { id: 'int8' },
  'UPDATE streams SET station_id = $2, updated_at = now() WHERE station_id = $1 AND id = ANY ($3::bigint[]) RETURNING id',
);

const moveRecordsOfStreams = statement(
  'split-records',
  { source: 'text', record: 'text', ordinal: 'int8', foreign_id: 'text?' },
  `UPDATE station_records SET station_id = $2 WHERE station_id = $1 AND stream_id = ANY ($3::bigint[])
   RETURNING source, record, ordinal, facts ->> 'radioBrowserId' AS foreign_id`,
);

const moveAliasesOfRecords = statement(
  'split-aliases',
  { scheme: 'text', foreign_id: 'text' },
  `UPDATE aliases SET item_id = $2
   WHERE kind = 's' AND item_id = $1 AND scheme = 'radio-browser' AND foreign_id = ANY ($3::text[])
   RETURNING scheme, foreign_id`,
);

/** Moves some streams, with their records and the ids that those are known by elsewhere. */
export async function moveStreams(
  db: Queryable,
  { from, to, streams }: { from: number; to: number; streams: readonly number[] },
): Promise<Pick<Moved, 'streams' | 'records' | 'aliases'>> {
  const moved = await moveSome.run(db, [from, to, streams]);
  const records = await moveRecordsOfStreams.run(db, [from, to, streams]);
  const foreign = records.flatMap(({ foreign_id: id }) => id ?? []);
  return {
    streams: moved.map(({ id }) => id),
    records: records.map(({ source, record, ordinal }) => ({ source, record, ordinal })),
    aliases: await moveAliasesOfRecords.run(db, [from, to, foreign]),
  };
}

const moveAliases = statement(
  'merge-aliases',
  { scheme: 'text', foreign_id: 'text' },
  `UPDATE aliases SET item_id = $1 WHERE kind = 's' AND item_id = $2 RETURNING scheme, foreign_id`,
);

const moveReports = statement(
  'merge-reports',
  { id: 'int8' },
  `UPDATE reports SET item_id = $1 WHERE item_kind = 's' AND item_id = $2 RETURNING id`,
);

const moveKeys = statement(
  'merge-keys',
  { key: 'text?' },
  `UPDATE station_keys SET station_id = $1 WHERE station_id = $2 RETURNING encode(key_hash, 'hex') AS key`,
);

const moveSongs = statement(
  'merge-songs',
  { at: 'text?' },
  `UPDATE station_songs AS t SET station_id = $1
   WHERE station_id = $2 AND NOT EXISTS (
     SELECT FROM station_songs AS o WHERE o.station_id = $1 AND o.started_at = t.started_at)
   RETURNING started_at::text AS at`,
);

// A folder that has both keeps both; the second leads to the first's station all the same.
const movePresets = statement(
  'merge-presets',
  { account_id: 'int8', id: 'int8' },
  `UPDATE presets AS p SET item_id = $1
   WHERE kind = 's' AND item_id = $2 AND NOT EXISTS (
     SELECT FROM presets AS o
     WHERE o.account_id = p.account_id AND o.folder_id = p.folder_id AND o.kind = 's' AND o.item_id = $1)
   RETURNING account_id, id`,
);

const hasSchedule = statement(
  'merge-has-schedule',
  { has: 'bool?' },
  `SELECT EXISTS (SELECT FROM schedules WHERE station_id = $1)
     OR EXISTS (SELECT FROM schedule_addresses WHERE station_id = $1)
     OR EXISTS (SELECT FROM schedule_rules WHERE station_id = $1)
     OR EXISTS (SELECT FROM station_shows WHERE station_id = $1)
     OR EXISTS (SELECT FROM broadcasts WHERE station_id = $1) AS has`,
);

const SCHEDULE = ['schedules', 'schedule_addresses', 'schedule_rules', 'station_shows', 'broadcasts'].map(
  (table) =>
    statement(
      `merge-${table.replaceAll('_', '-')}`,
      { station_id: 'int8' },
      `UPDATE ${table} SET station_id = $1 WHERE station_id = $2 RETURNING station_id`,
    ),
);

/** Moves what refers to a station, beside streams and records. A schedule only goes where there is none. */
export async function moveBelongings(
  db: Queryable,
  keptId: number,
  goneId: number,
): Promise<Omit<Moved, 'streams' | 'records' | 'followers'>> {
  const ids = [keptId, goneId];
  const [own] = await hasSchedule.run(db, [keptId]);
  const [theirs] = await hasSchedule.run(db, [goneId]);
  const schedule = !own?.has && theirs?.has === true;
  if (schedule) for (const table of SCHEDULE) await table.run(db, ids);
  return {
    aliases: await moveAliases.run(db, ids),
    reports: (await moveReports.run(db, ids)).map(({ id }) => id),
    keys: (await moveKeys.run(db, ids)).flatMap(({ key }) => key ?? []),
    songs: (await moveSongs.run(db, ids)).flatMap(({ at }) => at ?? []),
    presets: await movePresets.run(db, ids),
    schedule,
  };
}

const recordsBack = statement(
  'unmerge-records',
  { record: 'text' },
  `UPDATE station_records r SET station_id = $2, ordinal = m.ordinal,
     witness = CASE WHEN r.witness LIKE '${BY_HAND}%' THEN nullif(substr(r.witness, ${BY_HAND.length + 1}), '') ELSE r.witness END
   FROM jsonb_to_recordset($3::jsonb) AS m (source text, record text, ordinal bigint)
   WHERE r.station_id = $1 AND r.source = m.source AND r.record = m.record RETURNING r.record`,
);

// With those that only the returned records name: an address that changed meanwhile is a new stream.
const streamsBack = statement(
  'unmerge-streams',
  { id: 'int8' },
  `UPDATE streams AS t SET station_id = $2, updated_at = now()
   WHERE t.station_id = $1 AND (t.id = ANY ($3::bigint[]) OR (
     t.id IN (SELECT stream_id FROM station_records WHERE station_id = $2)
     AND t.id NOT IN (SELECT stream_id FROM station_records WHERE station_id = $1)))
   RETURNING t.id`,
);

const aliasesBack = statement(
  'unmerge-aliases',
  { foreign_id: 'text' },
  `UPDATE aliases a SET item_id = $2 FROM jsonb_to_recordset($3::jsonb) AS m (scheme text, foreign_id text)
   WHERE a.scheme = m.scheme AND a.foreign_id = m.foreign_id AND a.kind = 's' AND a.item_id = $1 RETURNING a.foreign_id`,
);

const reportsBack = statement(
  'unmerge-reports',
  { id: 'int8' },
  `UPDATE reports SET item_id = $2 WHERE id = ANY ($3::bigint[]) AND item_kind = 's' AND item_id = $1 RETURNING id`,
);

const keysBack = statement(
  'unmerge-keys',
  { station_id: 'int8' },
  `UPDATE station_keys SET station_id = $2
   WHERE station_id = $1 AND encode(key_hash, 'hex') = ANY ($3::text[]) RETURNING station_id`,
);

const songsBack = statement(
  'unmerge-songs',
  { station_id: 'int8' },
  `UPDATE station_songs AS t SET station_id = $2
   WHERE station_id = $1 AND started_at = ANY ($3::timestamptz[]) AND NOT EXISTS (
     SELECT FROM station_songs AS o WHERE o.station_id = $2 AND o.started_at = t.started_at) RETURNING station_id`,
);

const presetsBack = statement(
  'unmerge-presets',
  { id: 'int8' },
  `UPDATE presets AS p SET item_id = $2
   FROM jsonb_to_recordset($3::jsonb) AS m (account_id bigint, id bigint)
   WHERE p.account_id = m.account_id AND p.id = m.id AND p.kind = 's' AND p.item_id = $1 AND NOT EXISTS (
     SELECT FROM presets AS o
     WHERE o.account_id = p.account_id AND o.folder_id = p.folder_id AND o.kind = 's' AND o.item_id = $2)
   RETURNING p.id`,
);

/** Moves back what a merge moved, as far as it is still there, and what came to the moved streams since. */
export async function moveBack(db: Queryable, keptId: number, goneId: number, moved: Moved): Promise<void> {
  const ids = [keptId, goneId];
  await recordsBack.run(db, [...ids, JSON.stringify(moved.records)]);
  await moveRecordsOfStreams.run(db, [...ids, moved.streams]);
  await streamsBack.run(db, [...ids, moved.streams]);
  await aliasesBack.run(db, [...ids, JSON.stringify(moved.aliases)]);
  await reportsBack.run(db, [...ids, moved.reports]);
  await keysBack.run(db, [...ids, moved.keys]);
  await songsBack.run(db, [...ids, moved.songs]);
  await presetsBack.run(db, [...ids, JSON.stringify(moved.presets)]);
  if (moved.schedule) for (const table of SCHEDULE) await table.run(db, [goneId, keptId]);
}
