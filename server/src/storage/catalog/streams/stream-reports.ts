import type { Pool, PoolClient } from 'pg';
import { type RowOf, statement } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';
import { type Standing, WEIGHTS, reliabilityAfter, reliabilityAt } from './reliability.ts';

/** One listener's report on one stream. */
export interface StreamReport {
  streamId: number;
  /** A keyed hash; core/accounts/reporters.ts makes it. */
  reporter: Buffer;
  isGood: boolean;
}

/** Between two checks. Three complaints equal one check; more would only repeat what it will find out. */
const MAX_COUNTED = 3;
/** After a check, or the start of one: a report in this time adds nothing to that check. */
const LET_REST = "interval '5 minutes'";

const KNOWN = {
  now: 'timestamptz',
  reliability: 'int2',
  standing: 'float8?',
  standing_at: 'timestamptz?',
  checked_at: 'timestamptz?',
  verdict: 'text?',
} as const;

// Locked, so that concurrent reports each build on the one before.
const lock = statement(
  'stream-report-lock',
  KNOWN,
  `SELECT clock_timestamp() AS now, s.reliability, c.standing, c.standing_at, c.checked_at, c.verdict
   FROM stream_checks c JOIN streams s ON s.id = c.stream_id WHERE c.stream_id = $1 FOR UPDATE OF c`,
);

// Only listed streams: radios are not sent to others, and a report does not get those probed.
const schedule = statement(
  'stream-report-schedule',
  {},
  `INSERT INTO stream_checks (stream_id, host, next_due_at)
   SELECT id, coalesce(host_of(address), ''), now() FROM streams WHERE id = $1 AND listed
   ON CONFLICT (stream_id) DO NOTHING`,
);

// Parameters: stream, praise or complaint, reporter, time, last check. Without one within a day, a day counts as one.
const count = statement(
  'stream-report-count',
  { stream_id: 'int8' },
  `INSERT INTO counted_reports (stream_id, is_good, reporter, said_at) SELECT $1, $2, $3, $4
   WHERE (SELECT count(*) FROM (SELECT FROM counted_reports
       WHERE stream_id = $1 AND is_good = $2 AND said_at > greatest($5::timestamptz, $4::timestamptz - interval '1 day')
       LIMIT ${MAX_COUNTED}) AS since) < ${MAX_COUNTED}
   ON CONFLICT (stream_id, is_good, reporter) DO UPDATE SET said_at = excluded.said_at
     WHERE counted_reports.said_at <= excluded.said_at - interval '1 day'
   RETURNING stream_id`,
);

const apply = statement(
  'stream-report-apply',
  {},
  `UPDATE stream_checks SET standing = $2, standing_at = $3,
     alive_at = CASE WHEN $4 THEN greatest(alive_at, $3) ELSE alive_at END,
     changed_at = CASE WHEN $5 THEN clock_timestamp() ELSE changed_at END,
     next_due_at = CASE WHEN $6 THEN least(next_due_at, greatest($3, checked_at + ${LET_REST}, claimed_at + ${LET_REST}))
       ELSE next_due_at END
   WHERE stream_id = $1`,
);

/**
 * Applies a listener's report to a stream's standing, and schedules a check soon when it contradicts that standing.
 * False when it does not count: the same listener within a day, or more listeners than count before a check.
 */
export const countReport = (pool: Pool, report: StreamReport): Promise<boolean> =>
  transaction(pool, async (client) => {
    const { streamId, reporter, isGood } = report;
    const known = await lockStream(client, streamId);
    if (!known) return false;
    const { checked_at: checkedAt, verdict } = known;
    const [now, nowMs] = [known.now.toString(), known.now.epochMilliseconds];
    const counted = await count.run(client, [streamId, isGood, reporter, now, checkedAt?.toString() ?? null]);
    if (counted.length === 0) return false;
    const before = standingOf(known);
    const weight = isGood ? WEIGHTS.praise : WEIGHTS.complaint;
    const { value } = reliabilityAfter(before, { isGood, weight, atMs: nowMs });
    const isNews = isFelt(reliabilityAt(before, nowMs), value);
    const isDoubt = !isGood || (verdict !== null && verdict !== 'plays');
    await apply.run(client, [streamId, value, now, isGood, isNews, isDoubt]);
    return true;
  });

type Known = RowOf<typeof KNOWN>;

/** A report may arrive before a new stream has been scheduled for checks. */
async function lockStream(client: PoolClient, streamId: number): Promise<Known | undefined> {
  const [known] = await lock.run(client, [streamId]);
  if (known) return known;
  await schedule.run(client, [streamId]);
  const [scheduled] = await lock.run(client, [streamId]);
  return scheduled;
}

/** Before the first check the source's value counts, so that one complaint does not undo it. */
function standingOf({ now, reliability, standing, standing_at: at }: Known): Standing {
  if (standing === null || at === null) return { value: reliability, atMs: now.epochMilliseconds };
  return { value: standing, atMs: at.epochMilliseconds };
}

/** Whether the order of streams may change. */
const isFelt = (before: number, after: number): boolean => Math.round(before) !== Math.round(after);
