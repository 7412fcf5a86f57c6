import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

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

/** What a server gave to ask "anything new since?" with. */
export interface LastAnswer {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** By day; of an address without days by ''. */
export type LastAnswers = Readonly<Record<string, LastAnswer>>;

/** An address whose schedule is to be read again. */
export interface DueSchedule {
  stationId: number;
  address: string;
  format: string | undefined;
  zone: string | undefined;
  channel: string | undefined;
  intervalSeconds: number;
  answers: LastAnswers;
  digest: string | undefined;
  failures: number;
}

// The subquery is what is locked: nobody waits for another, and the same row is never given to two.
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

/** Those that are due, nobody else's until the lease is over; one whose reader died is then due again by itself. */
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

function textIn(value: unknown, key: keyof LastAnswer): string | undefined {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** How a reading went that worked. */
export interface ScheduleReading {
  /** The same as before, or where it has moved for good. */
  address: string;
  intervalSeconds: number;
  answers: LastAnswers;
  digest: string | undefined;
}

type Asked = Pick<DueSchedule, 'stationId' | 'address'>;

const read = statement(
  'schedule-address-read',
  {},
  `UPDATE schedule_addresses SET address = $3, next_due_at = now() + make_interval(secs => $4::integer), interval_seconds = $4,
     answers = $5, digest = $6, read_at = now(), failures = 0, trouble = NULL
   WHERE station_id = $1 AND address = $2`,
);

/** Written only if the operator has not given another address meanwhile. */
export const recordReading = (
  db: Queryable,
  { stationId, address }: Asked,
  reading: ScheduleReading,
): Promise<unknown> =>
  read.run(db, [
    stationId,
    address,
    reading.address,
    reading.intervalSeconds,
    JSON.stringify(reading.answers),
    reading.digest ?? null,
  ]);

const LONGEST_TROUBLE = 300;
const MOST_FAILURES = 30_000;

const failed = statement(
  'schedule-address-failed',
  {},
  `UPDATE schedule_addresses SET next_due_at = now() + make_interval(secs => $3::integer),
     failures = least(failures + 1, ${MOST_FAILURES}), trouble = $4
   WHERE station_id = $1 AND address = $2`,
);

export const recordFailure = (
  db: Queryable,
  { stationId, address }: Asked,
  { waitSeconds, trouble }: { waitSeconds: number; trouble: string },
): Promise<unknown> => failed.run(db, [stationId, address, waitSeconds, trouble.slice(0, LONGEST_TROUBLE)]);
