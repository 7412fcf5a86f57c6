import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

/** A number in the text: with a parameter PostgreSQL plans for a tenth of the table. */
const BATCH = 500;
/** New streams are due one after the other at this pace: sixty thousand within twenty minutes, a house's forty at once. */
const A_SECOND = 50;

const BATCH_COLUMNS = { last: 'int8?', count: 'int4' } as const;

const enlist = statement(
  'stream-checks-enlist',
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

/** Every listed stream is to be listened to from now on; returns how many are new. */
export const enlistStreams = (db: Queryable, signal?: AbortSignal): Promise<number> =>
  walk((after, added) => enlist.run(db, [after, added]), signal);

const dismiss = statement(
  'stream-checks-dismiss',
  BATCH_COLUMNS,
  `WITH batch AS (
     SELECT c.stream_id AS id, s.listed FROM stream_checks c JOIN streams s ON s.id = c.stream_id
     WHERE c.stream_id > $1 ORDER BY c.stream_id LIMIT ${BATCH}
   ), gone AS (
     DELETE FROM stream_checks c USING batch b WHERE c.stream_id = b.id AND NOT b.listed RETURNING c.stream_id
   )
   SELECT (SELECT max(id) FROM batch) AS last, (SELECT count(*) FROM gone)::int4 AS count`,
);

/** Nobody is sent to a stream that is not listed, so nobody needs to know how it is; returns how many leave. */
export const dismissStreams = (db: Queryable, signal?: AbortSignal): Promise<number> =>
  walk((after) => dismiss.run(db, [after]), signal);

/** From batch to batch until there are no more; returns how many were touched. */
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
