import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  id: 'int8',
  station_id: 'int8',
  other_station_id: 'int8?',
  action: 'text',
  before: 'jsonb',
  after: 'jsonb',
  who: 'text',
  why: 'text?',
  made_at: 'timestamptz',
  takedown_id: 'int8?',
  reverts: 'int8?',
  reverted_at: 'timestamptz?',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

/** One change of a station by a person. */
export type ChangeRow = RowOf<typeof COLUMNS>;

export type ChangeAction = 'set' | 'hide' | 'unhide' | 'takedown' | 'merge' | 'split' | 'revert';

export interface NewChange {
  stationId: number;
  otherStationId?: number | undefined;
  action: ChangeAction;
  before: unknown;
  after: unknown;
  who: string;
  why?: string | null | undefined;
  takedownId?: number | undefined;
  reverts?: number | undefined;
}

/** Writes a change down, in the transaction that makes it; returns its number. */
export const addChange = statement(
  'station-change-add',
  { id: 'int8' },
  `INSERT INTO station_changes
     (station_id, other_station_id, action, before, after, who, why, takedown_id, reverts)
   VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, $9) RETURNING id`,
).oneValue((change: NewChange) => [
  change.stationId,
  change.otherStationId,
  change.action,
  JSON.stringify(change.before),
  JSON.stringify(change.after),
  change.who,
  change.why,
  change.takedownId,
  change.reverts,
]);

export const findChange = statement(
  'station-change-by-id',
  COLUMNS,
  `SELECT ${LIST} FROM station_changes WHERE id = $1`,
).first((id: number) => [id]);

/**
 * The changes of a station, those in which it was merged away or split off too, the newest first. Two reads of an
 * index each: one of both conditions would read all changes backwards.
 */
export const listChangesBefore = statement(
  'station-changes-before',
  COLUMNS,
  `SELECT ${LIST} FROM (
     (SELECT * FROM station_changes WHERE station_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3)
     UNION ALL
     (SELECT * FROM station_changes WHERE other_station_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3)
   ) AS c ORDER BY id DESC LIMIT $3`,
).all((stationId: number, { before: id = 2 ** 50, limit }: { before?: number; limit: number }) => [
  stationId,
  id,
  limit,
]);

const inForce = statement(
  'station-changes-in-force',
  COLUMNS,
  `SELECT ${LIST} FROM station_changes
   WHERE station_id = $1 AND reverted_at IS NULL AND action <> 'revert' AND id > $2
   UNION ALL SELECT ${LIST} FROM station_changes
   WHERE other_station_id = $1 AND reverted_at IS NULL AND action <> 'revert' AND id > $2`,
);

/** The changes of a station after a number that were not undone, the oldest first. */
export async function listChangesInForce(db: Queryable, stationId: number, after = 0): Promise<ChangeRow[]> {
  const rows = await inForce.run(db, [stationId, after]);
  return rows.toSorted((a, b) => a.id - b.id);
}

const firstTouching = statement(
  'station-change-first',
  { before: 'jsonb' },
  `SELECT before FROM station_changes
   WHERE station_id = $1 AND action <> 'revert' AND after ? $2 ORDER BY id LIMIT 1`,
);

/** A field as it was before anybody changed it. */
export async function firstStateOf(db: Queryable, stationId: number, field: string): Promise<unknown> {
  const [row] = await firstTouching.run(db, [stationId, field]);
  return row && Object(row.before)[field];
}

const markReverted = statement(
  'station-changes-mark-reverted',
  { id: 'int8' },
  'UPDATE station_changes SET reverted_at = now() WHERE id = ANY ($1::bigint[]) AND reverted_at IS NULL RETURNING id',
);

/** The number of those that were in force until now. */
export const markChangesReverted = async (db: Queryable, ids: readonly number[]): Promise<number> =>
  (await markReverted.run(db, [ids])).length;

/** What a takedown hid, also what was shown again since, in order. */
export const listChangesOfTakedown = statement(
  'station-changes-of-takedown',
  COLUMNS,
  `SELECT ${LIST} FROM station_changes WHERE takedown_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
).all((takedownId: number, { after = 0, limit }: { after?: number; limit: number }) => [
  takedownId,
  after,
  limit,
]);
