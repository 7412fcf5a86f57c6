import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import type { CheckStep } from './stream-checks.ts';

const COLUMNS = {
  stream_id: 'int8',
  checked_at: 'timestamptz?',
  alive_at: 'timestamptz?',
  next_due_at: 'timestamptz',
  failures: 'int2',
  steps: 'jsonb?',
} as const;

/** What was done when a stream was last listened to, for whoever asks why it is where it is. */
export interface StreamFinding {
  checkedAt: Temporal.Instant | undefined;
  aliveAt: Temporal.Instant | undefined;
  nextDueAt: Temporal.Instant;
  failures: number;
  steps: readonly CheckStep[];
}

const findings = statement(
  'stream-findings',
  COLUMNS,
  `SELECT stream_id, checked_at, alive_at, next_due_at, failures, steps
   FROM stream_checks WHERE stream_id = ANY ($1::int8[])`,
);

/** By the stream's id; nothing of those that were never looked at. */
export async function listFindings(
  db: Queryable,
  streamIds: readonly number[],
): Promise<Map<number, StreamFinding>> {
  const rows = await findings.run(db, [streamIds]);
  return new Map(rows.map((row) => [row.stream_id, findingOf(row)]));
}

const findingOf = (row: RowOf<typeof COLUMNS>): StreamFinding => ({
  checkedAt: row.checked_at ?? undefined,
  aliveAt: row.alive_at ?? undefined,
  nextDueAt: row.next_due_at,
  failures: row.failures,
  steps: Array.isArray(row.steps) ? row.steps.filter(isStep) : [],
});

const isStep = (value: unknown): value is CheckStep =>
  typeof value === 'object' &&
  value !== null &&
  'what' in value &&
  'detail' in value &&
  'ms' in value &&
  typeof value.ms === 'number';
