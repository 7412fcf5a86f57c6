import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import type { DueSchedule, ScheduleReading } from './due-schedules.ts';

const keep = statement(
  'schedule-address-keep',
  {},
  `INSERT INTO schedule_addresses (station_id, address, format, zone, channel, interval_seconds, answers, digest,
     next_due_at, read_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $6::integer), now())
   ON CONFLICT (station_id) DO UPDATE SET address = excluded.address, format = excluded.format, zone = excluded.zone,
     channel = excluded.channel, interval_seconds = excluded.interval_seconds, answers = excluded.answers,
     digest = excluded.digest, next_due_at = excluded.next_due_at, read_at = excluded.read_at, failures = 0,
     trouble = NULL`,
);

/** The one address of a station from now on, with how its first reading went. */
export const keepScheduleAddress = (
  db: Queryable,
  { stationId, format, zone, channel }: Omit<DueSchedule, keyof ScheduleReading | 'failures'>,
  { address, intervalSeconds, answers, digest }: ScheduleReading,
): Promise<unknown> =>
  keep.run(db, [
    stationId,
    address,
    format ?? null,
    zone ?? null,
    channel ?? null,
    intervalSeconds,
    JSON.stringify(answers),
    digest ?? null,
  ]);

const forget = statement(
  'schedule-address-forget',
  { station_id: 'int8' },
  'DELETE FROM schedule_addresses WHERE station_id = $1 RETURNING station_id',
);

/** False when there was none. */
export const forgetScheduleAddress = async (db: Queryable, stationId: number): Promise<boolean> =>
  (await forget.run(db, [stationId])).length > 0;

const LISTED = {
  station_id: 'int8',
  address: 'text',
  next_due_at: 'timestamptz',
  read_at: 'timestamptz?',
  failures: 'int2',
  trouble: 'text?',
} as const;

export type ScheduleAddressRow = RowOf<typeof LISTED>;

const listed = statement(
  'schedule-addresses-after',
  LISTED,
  `SELECT ${Object.keys(LISTED).join(', ')} FROM schedule_addresses WHERE station_id > $1 ORDER BY station_id LIMIT $2`,
);

export const listScheduleAddresses = (
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<ScheduleAddressRow[]> => listed.run(db, [after, limit]);
