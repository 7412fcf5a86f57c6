import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { type FailureCode, isFailureCode } from '../lib/failure-code.ts';
import type { CheckStep } from './stream-checks.ts';
import { type DayHealth, healthDay, healthOf } from './stream-health.ts';

const COLUMNS = {
  stream_id: 'int8',
  checked_at: 'timestamptz?',
  alive_at: 'timestamptz?',
  next_due_at: 'timestamptz',
  failures: 'int2',
  steps: 'jsonb?',
  /** More bits than a number holds. */
  health: 'text',
  health_day: 'date?',
  failed_at: 'timestamptz?',
  failure: 'text?',
  failure_code: 'text?',
} as const;

/** What came of listening to a stream, for whoever asks why it is where it is. */
export interface StreamFinding {
  checkedAt: Temporal.Instant | undefined;
  aliveAt: Temporal.Instant | undefined;
  nextDueAt: Temporal.Instant;
  failures: number;
  /** Of the last check. */
  steps: readonly CheckStep[];
  /** The last thirty days, the oldest first; undefined where none was written down. */
  health: readonly DayHealth[] | undefined;
  failedAt: Temporal.Instant | undefined;
  /** Why nothing was heard then. */
  failure: string | undefined;
  /** The same in a word; undefined where it was written down before there were such. */
  failureCode: FailureCode | undefined;
}

const findings = statement(
  'stream-findings',
  COLUMNS,
  `SELECT stream_id, checked_at, alive_at, next_due_at, failures, steps, health::text AS health, health_day, failed_at,
     failure, failure_code
   FROM stream_checks WHERE stream_id = ANY ($1::int8[])`,
);

/** By the stream's id; nothing of those that were never looked at. */
export async function listFindings(
  db: Queryable,
  streamIds: readonly number[],
  now: Temporal.Instant,
): Promise<Map<number, StreamFinding>> {
  const rows = await findings.run(db, [streamIds]);
  return new Map(rows.map((row) => [row.stream_id, findingOf(row, now)]));
}

const findingOf = (row: RowOf<typeof COLUMNS>, now: Temporal.Instant): StreamFinding => ({
  checkedAt: row.checked_at ?? undefined,
  aliveAt: row.alive_at ?? undefined,
  nextDueAt: row.next_due_at,
  failures: row.failures,
  steps: Array.isArray(row.steps) ? row.steps.filter(isStep) : [],
  health:
    row.health_day === null
      ? undefined
      : healthOf(BigInt(row.health), Temporal.PlainDate.from(row.health_day), healthDay(now)),
  failedAt: row.failed_at ?? undefined,
  failure: row.failure ?? undefined,
  failureCode: isFailureCode(row.failure_code) ? row.failure_code : undefined,
});

const isStep = (value: unknown): value is CheckStep =>
  typeof value === 'object' &&
  value !== null &&
  'what' in value &&
  'detail' in value &&
  'ms' in value &&
  typeof value.ms === 'number';
