import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const TAKEDOWN = {
  id: 'int8',
  why: 'text',
  who: 'text',
  made_at: 'timestamptz',
  lifted_at: 'timestamptz?',
  lifted_by: 'text?',
} as const;
const LIST = Object.keys(TAKEDOWN).join(', ');

export const addTakedown = statement(
  'takedown-add',
  { id: 'int8' },
  'INSERT INTO takedowns (why, who) VALUES ($1, $2) RETURNING id',
).oneValue((why: string, who: string) => [why, who]);

/** By what a station that comes later is known to be taken down. */
export interface TakedownEntry {
  kind: 'name' | 'stream' | 'homepage';
  key: string;
  /** Of a name: the only country that is meant; null for any. */
  countryId: number | null;
}

const addEntries = statement(
  'takedown-entries-add',
  { id: 'int8' },
  `INSERT INTO takedown_entries (takedown_id, kind, key, country_id)
   SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[]) RETURNING id`,
);

const ENTRIES_AT_ONCE = 5000;

export async function addTakedownEntries(
  db: Queryable,
  takedownId: number,
  entries: readonly TakedownEntry[],
): Promise<void> {
  for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
    const some = entries.slice(at, at + ENTRIES_AT_ONCE);
    await addEntries.run(db, [
      takedownId,
      some.map(({ kind }) => kind),
      some.map(({ key }) => key),
      some.map(({ countryId }) => countryId),
    ]);
  }
}

const matching = statement(
  'takedown-entries-matching',
  { takedown_id: 'int8', why: 'text', kind: 'text', key: 'text', country_id: 'int8?' },
  `SELECT e.takedown_id, t.why, e.kind, e.key, e.country_id
   FROM unnest($1::text[], $2::text[]) AS u (kind, key)
   CROSS JOIN LATERAL (SELECT * FROM takedown_entries
     WHERE md5(key) = md5(u.key) AND kind = u.kind AND key = u.key OFFSET 0) AS e
   JOIN takedowns AS t ON t.id = e.takedown_id AND t.lifted_at IS NULL
   ORDER BY e.takedown_id`,
);

export type MatchingEntry = RowOf<typeof matching.columns>;

/** The entries of takedowns in force with these keys, the oldest takedown first. */
export const findTakedownEntries = (
  db: Queryable,
  wanted: readonly Pick<TakedownEntry, 'kind' | 'key'>[],
): Promise<MatchingEntry[]> =>
  matching.run(db, [wanted.map(({ kind }) => kind), wanted.map(({ key }) => key)]);

export const findTakedown = statement(
  'takedown-by-id',
  TAKEDOWN,
  `SELECT ${LIST} FROM takedowns WHERE id = $1 FOR UPDATE`,
).first((id: number) => [id]);

export const markLifted = statement(
  'takedown-lift',
  { id: 'int8' },
  'UPDATE takedowns SET lifted_at = now(), lifted_by = $2 WHERE id = $1 AND lifted_at IS NULL RETURNING id',
).command((id: number, who: string) => [id, who]);

/** The newest first, with how many stations and streams each hid. */
export const listTakedownsBefore = statement(
  'takedowns-before',
  { ...TAKEDOWN, stations: 'int8?' },
  `SELECT ${LIST}, (SELECT count(*) FROM station_changes c WHERE c.takedown_id = takedowns.id) AS stations
   FROM takedowns WHERE id < $1 ORDER BY id DESC LIMIT $2`,
).all((id: number, limit: number) => [id, limit]);

const MATCH = {
  key: 'text?',
  id: 'int8',
  name: 'text',
  name_key: 'text',
  country_id: 'int8?',
  country: 'text?',
  homepage: 'text?',
  hidden: 'bool?',
} as const;

/** A station that a line may mean, by the key that it was found by. */
export type TakedownMatch = RowOf<typeof MATCH>;

/** Where a station was merged into another one, that one is meant. */
const MEANT = `s.id, s.name, s.name_key, s.country_id, c.code AS country, s.homepage,
     (NOT s.listed AND 'listed' = ANY (s.pinned)) AS hidden`;

export const findByNameKeys = statement(
  'takedown-stations-by-name',
  MATCH,
  `SELECT f.name_key AS key, ${MEANT} FROM stations f JOIN stations s ON s.id = coalesce(f.merged_into, f.id)
   LEFT JOIN countries c ON c.id = s.country_id WHERE f.name_key = ANY ($1::text[]) ORDER BY s.id`,
).all((keys: readonly string[]) => [keys]);
export const findByAddressKeys = statement(
  'takedown-stations-by-stream',
  MATCH,
  `SELECT f.key, ${MEANT}
   FROM (SELECT address_key::text AS key, station_id FROM streams WHERE address_key = ANY ($1::uuid[])
     UNION SELECT resolved_key::text, station_id FROM streams WHERE resolved_key = ANY ($1::uuid[])) AS f
   CROSS JOIN LATERAL (SELECT * FROM stations WHERE id = f.station_id OFFSET 0) AS s
   LEFT JOIN countries c ON c.id = s.country_id ORDER BY s.id`,
).all((keys: readonly string[]) => [keys]);
/** With a homepage of these owners; `key` is the page. */
export const findByHomepageHosts = statement(
  'takedown-stations-by-host',
  MATCH,
  `SELECT f.homepage AS key, ${MEANT} FROM stations f JOIN stations s ON s.id = coalesce(f.merged_into, f.id)
   LEFT JOIN countries c ON c.id = s.country_id WHERE f.homepage_host = ANY ($1::text[]) ORDER BY s.id`,
).all((hosts: readonly string[]) => [hosts]);

export const listStreamKeys = statement(
  'takedown-stream-keys',
  { key: 'uuid' },
  'SELECT address_key AS key FROM streams WHERE station_id = ANY ($1::bigint[])',
).values((stationIds: readonly number[]) => [stationIds]);
