import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import { type Claim, claimDue, claimParams } from '../claim-due.ts';

const COLUMNS = {
  stream_id: 'int8',
  host: 'text',
  address: 'text',
  popularity: 'int4',
  reliability: 'int2',
  /** As PostgreSQL formats it: it is only compared there. */
  claimed_at: 'text',
  alive_ms: 'float8?',
  failures: 'int2',
  standing: 'float8?',
  standing_at: 'text?',
  standing_ms: 'float8?',
} as const;

/** A stream that is due, with what its next probe depends on. */
export type DueStream = RowOf<typeof COLUMNS>;

// Instants as text and as numbers: they are only compared and subtracted, and there are three per stream.
const AS_CLAIMED = `SELECT m.stream_id, m.host, s.address, t.popularity, s.reliability, now()::text AS claimed_at,
     extract(epoch FROM m.alive_at)::float8 * 1000 AS alive_ms, m.failures, m.standing,
     m.standing_at::text AS standing_at, extract(epoch FROM m.standing_at)::float8 * 1000 AS standing_ms
   FROM moved m JOIN streams s ON s.id = m.stream_id JOIN stations t ON t.id = s.station_id`;

const MAX = 100;
const WINDOW = 200;

/**
 * A stream is never probed twice within this time, however often that is requested; also how long a stream waits when
 * its worker has died.
 */
export const REST_SECONDS = 300;

/** Due streams, the longest due first; no other worker gets them until the lease ends. */
export const claimStreams = statement(
  'stream-checks-claim',
  COLUMNS,
  `${claimDue({
    table: 'stream_checks',
    id: 'stream_id',
    isDue: '(claimed_at IS NULL OR claimed_at <= now() - make_interval(secs => $2))',
    window: WINDOW,
    whenClaimed: { claimed_at: 'now()' },
  })}
   ${AS_CLAIMED} WHERE m.turn <= $5`,
).all((request: Claim) => claimParams(request, MAX));

/** Claims this stream, due or not, for an operator; a worker that is probing it at the moment then writes nothing. */
export const claimStream = statement(
  'stream-check-claim-one',
  COLUMNS,
  `WITH moved AS (
     INSERT INTO stream_checks (stream_id, host, next_due_at, claimed_at)
     SELECT id, coalesce(host_of(address), ''), now() + make_interval(secs => $2), now() FROM streams WHERE id = $1
     ON CONFLICT (stream_id) DO UPDATE SET next_due_at = excluded.next_due_at, claimed_at = excluded.claimed_at
     RETURNING *
   )
   ${AS_CLAIMED}`,
).first((streamId: number) => [streamId, REST_SECONDS]);

const reschedule = statement(
  'stream-checks-put-back',
  {},
  `UPDATE stream_checks c SET next_due_at = now() + make_interval(secs => u.seconds), claimed_at = NULL
   FROM unnest($1::bigint[], $2::timestamptz[], $3::float8[]) AS u (stream_id, claimed_at, seconds)
   WHERE c.stream_id = ANY ($1) AND c.stream_id = u.stream_id AND c.claimed_at = u.claimed_at`,
);

/** A stream that was claimed but not probed. */
export interface Reschedule {
  due: DueStream;
  dueInSeconds: number;
}

/** Nothing was found out: they become due again after this delay, as if they had not been claimed. */
export async function rescheduleStreams(db: Queryable, streams: readonly Reschedule[]): Promise<void> {
  const ids = streams.map(({ due }) => due.stream_id);
  const claims = streams.map(({ due }) => due.claimed_at);
  await reschedule.run(db, [ids, claims, streams.map(({ dueInSeconds }) => dueInSeconds)]);
}

/** A literal in the text: with a parameter PostgreSQL plans for a tenth of the table. */
const BATCH = 500;
/** New streams become due at this pace: sixty thousand within twenty minutes, a household's forty within a second. */
const A_SECOND = 50;

const BATCH_COLUMNS = { last: 'int8?', count: 'int4' } as const;

const schedule = statement(
  'stream-checks-schedule',
  BATCH_COLUMNS,
  `WITH batch AS (
     SELECT id, address FROM streams WHERE id > $1 AND listed ORDER BY id LIMIT ${BATCH}
   ), added AS (
     INSERT INTO stream_checks (stream_id, host, next_due_at)
     SELECT b.id, coalesce(host_of(b.address), ''),
       now() + make_interval(secs => ($2::integer + row_number() OVER (ORDER BY random())) / ${A_SECOND}.0)
     FROM batch b WHERE NOT EXISTS (SELECT FROM stream_checks c WHERE c.stream_id = b.id)
     ON CONFLICT DO NOTHING RETURNING stream_id
   ), moved AS (
     UPDATE stream_checks c SET host = coalesce(host_of(b.address), '') FROM batch b
     WHERE c.stream_id = b.id AND c.host <> coalesce(host_of(b.address), '') RETURNING c.stream_id
   )
   SELECT (SELECT max(id) FROM batch) AS last, (SELECT count(*) FROM added)::int4 AS count`,
);

/** Schedules probes for every listed stream; returns how many are new. */
export const scheduleStreams = (db: Queryable, signal?: AbortSignal): Promise<number> =>
  walk((after, added) => schedule.run(db, [after, added]), signal);

const unschedule = statement(
  'stream-checks-unschedule',
  BATCH_COLUMNS,
  `WITH batch AS (
     SELECT c.stream_id AS id, s.listed FROM stream_checks c JOIN streams s ON s.id = c.stream_id
     WHERE c.stream_id > $1 ORDER BY c.stream_id LIMIT ${BATCH}
   ), gone AS (
     DELETE FROM stream_checks c USING batch b WHERE c.stream_id = b.id AND NOT b.listed RETURNING c.stream_id
   )
   SELECT (SELECT max(id) FROM batch) AS last, (SELECT count(*) FROM gone)::int4 AS count`,
);

/** Removes unlisted streams, since nobody is sent to them; returns how many. */
export const unscheduleStreams = (db: Queryable, signal?: AbortSignal): Promise<number> =>
  walk((after) => unschedule.run(db, [after]), signal);

/** Batch by batch until there are no more; returns how many rows were touched. */
async function walk(
  step: (after: number, soFar: number) => Promise<RowOf<typeof BATCH_COLUMNS>[]>,
  signal = new AbortController().signal,
): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const [batch] = await step(after, count);
    count += batch?.count ?? 0;
    if (!batch || batch.last === null) return count;
    after = batch.last;
  }
}
