import type { Validators } from '../../../lib/answer-headers.ts';
import { cutAt } from '../../../lib/search-words.ts';
import { storable } from '../../../lib/storable-text.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  station_id: 'int8',
  address: 'text',
  format: 'text?',
  zone: 'text?',
  channel: 'text?',
  interval_seconds: 'int4',
  answers: 'jsonb',
  digest: 'uuid?',
  failures: 'int2',
} as const;

/** By day; '' for an address without days. */
type LastAnswers = Readonly<Record<string, Validators>>;

/** A schedule address that is due to be read again. */
export interface DueSchedule extends ScheduleReading {
  stationId: number;
  format: string | undefined;
  zone: string | undefined;
  channel: string | undefined;
  failures: number;
}

// The lock is in the subquery: claims never wait for each other, and no row is given out twice.
const claim = statement(
  'schedule-addresses-claim',
  COLUMNS,
  `UPDATE schedule_addresses AS a SET next_due_at = now() + make_interval(secs => $2::integer)
   FROM (SELECT station_id FROM schedule_addresses WHERE next_due_at <= now()
     ORDER BY next_due_at LIMIT $1 FOR UPDATE SKIP LOCKED) AS due
   WHERE a.station_id = due.station_id
   RETURNING ${Object.keys(COLUMNS)
     .map((column) => `a.${column}`)
     .join(', ')}`,
);

/** Due schedules, leased to the caller; one whose reader died becomes due again by itself. */
export const claimSchedules = async (
  db: Queryable,
  limit: number,
  leaseSeconds: number,
): Promise<DueSchedule[]> => (await claim.run(db, [limit, leaseSeconds])).map(toDue);

const toDue = (row: RowOf<typeof COLUMNS>): DueSchedule => ({
  stationId: row.station_id,
  address: row.address,
  format: row.format ?? undefined,
  zone: row.zone ?? undefined,
  channel: row.channel ?? undefined,
  intervalSeconds: row.interval_seconds,
  answers: toAnswers(row.answers),
  digest: row.digest ?? undefined,
  failures: row.failures,
});

const toAnswers = (value: unknown): LastAnswers =>
  Object.fromEntries(
    Object.entries(value ?? {}).map(([day, answer]) => [
      day,
      { etag: textIn(answer, 'etag'), lastModified: textIn(answer, 'lastModified') },
    ]),
  );

function textIn(value: unknown, key: keyof Validators): string | undefined {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The result of a successful read. */
export interface ScheduleReading {
  /** The same as before, or the target of a permanent redirect. */
  address: string;
  intervalSeconds: number;
  answers: LastAnswers;
  digest: string | undefined;
}

type Asked = Pick<DueSchedule, 'stationId' | 'address'>;

/** Written only if the operator has not changed the address meanwhile. */
export const recordReading = statement(
  'schedule-address-read',
  {},
  `UPDATE schedule_addresses SET address = $3, next_due_at = now() + make_interval(secs => $4::integer), interval_seconds = $4,
     answers = $5, digest = $6, read_at = now(), failures = 0, trouble = NULL
   WHERE station_id = $1 AND address = $2`,
).command(({ stationId, address }: Asked, reading: ScheduleReading) => [
  stationId,
  address,
  reading.address,
  reading.intervalSeconds,
  JSON.stringify(reading.answers),
  reading.digest ?? null,
]);

const MAX_TROUBLE_LENGTH = 300;
const MAX_FAILURES = 30_000;

export const recordFailure = statement(
  'schedule-address-failed',
  {},
  `UPDATE schedule_addresses SET next_due_at = now() + make_interval(secs => $3::integer),
     failures = least(failures + 1, ${MAX_FAILURES}), trouble = $4
   WHERE station_id = $1 AND address = $2`,
).command(
  ({ stationId, address }: Asked, { waitSeconds, trouble }: { waitSeconds: number; trouble: string }) => [
    stationId,
    address,
    waitSeconds,
    cutAt(storable(trouble), MAX_TROUBLE_LENGTH),
  ],
);

/** Sets the one address of a station, with the result of its first read. */
export const keepScheduleAddress = statement(
  'schedule-address-keep',
  {},
  `INSERT INTO schedule_addresses (station_id, address, format, zone, channel, interval_seconds, answers, digest,
     next_due_at, read_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $6::integer), now())
   ON CONFLICT (station_id) DO UPDATE SET address = excluded.address, format = excluded.format, zone = excluded.zone,
     channel = excluded.channel, interval_seconds = excluded.interval_seconds, answers = excluded.answers,
     digest = excluded.digest, next_due_at = excluded.next_due_at, read_at = excluded.read_at, failures = 0,
     trouble = NULL`,
).command(
  (
    { stationId, format, zone, channel }: Omit<DueSchedule, keyof ScheduleReading | 'failures'>,
    { address, intervalSeconds, answers, digest }: ScheduleReading,
  ) => [
    stationId,
    address,
    format ?? null,
    zone ?? null,
    channel ?? null,
    intervalSeconds,
    JSON.stringify(answers),
    digest ?? null,
  ],
);

/** False when there was none. */
export const removeScheduleAddress = statement(
  'schedule-address-forget',
  { station_id: 'int8' },
  'DELETE FROM schedule_addresses WHERE station_id = $1 RETURNING station_id',
).exists((stationId: number) => [stationId]);

const LISTED = {
  station_id: 'int8',
  address: 'text',
  next_due_at: 'timestamptz',
  read_at: 'timestamptz?',
  failures: 'int2',
  trouble: 'text?',
} as const;

export type ScheduleAddressRow = RowOf<typeof LISTED>;

export const listScheduleAddresses = statement(
  'schedule-addresses-after',
  LISTED,
  `SELECT ${Object.keys(LISTED).join(', ')} FROM schedule_addresses WHERE station_id > $1 ORDER BY station_id LIMIT $2`,
).all(({ after, limit }: { after: number; limit: number }) => [after, limit]);
