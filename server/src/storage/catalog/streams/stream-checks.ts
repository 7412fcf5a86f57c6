import { type FailureCode, isFailureCode, type Verdict } from '../../../lib/failure-code.ts';
import type { StreamFormat } from '../../../lib/stream-format.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { DueStream } from './due-streams.ts';
import {
  type DayHealth,
  type Evidence,
  healthDay,
  healthOf,
  isHeardOn,
  reliabilityAfter,
  type Standing,
} from './reliability.ts';

/** Measurements of a stream that was heard. */
export interface StreamFacts {
  format?: StreamFormat | undefined;
  playlist?: 'm3u' | 'pls' | 'asx' | 'xspf' | undefined;
  codec?: string | undefined;
  container?: string | undefined;
  bitrate?: number | undefined;
  sampleRate?: number | undefined;
  /** Where a playlist leads. */
  resolvedAddress?: string | undefined;
  redirects?: number | undefined;
}

/** One step on the way to the audio; the address if it differs from the previous step's. */
export interface CheckStep {
  what: string;
  address?: string | undefined;
  ms: number;
  status?: number | undefined;
  detail: string;
  /** Of the last step, when nothing was heard. */
  code?: FailureCode | undefined;
}

/** The result of probing a claimed stream. */
export interface StreamCheck {
  due: DueStream;
  verdict: Verdict;
  evidence: Evidence;
  /** Undefined when it was not heard: then the last measurements remain valid. */
  facts: StreamFacts | undefined;
  failures: number;
  steps: readonly CheckStep[];
  dueInSeconds: number;
}

const TODAY = "(now() AT TIME ZONE 'UTC')::date";

/** The measured values, by column and by name in the stored JSON. */
const MEASURED = Object.entries({
  format: 'format',
  playlist: 'playlist',
  codec: 'codec',
  container: 'container',
  bitrate: 'bitrate',
  sample_rate: '"sampleRate"',
  resolved_address: '"resolvedAddress"',
  redirects: 'redirects',
});
/** Tune does not depend on these. */
const NO_NEWS = new Set(['container', 'sample_rate']);
const NEWS = MEASURED.filter(([column]) => !NO_NEWS.has(column));

// Streams are ranked by whole points, and one that keeps playing soon gains none.
const IS_NEWS = `c.standing IS NULL OR floor(u.standing + 0.5) <> floor(c.standing + 0.5) OR u.verdict IS DISTINCT FROM c.verdict
     OR u."isMeasured" AND (${NEWS.map(([, name]) => `u.${name}`).join(', ')})
       IS DISTINCT FROM (${NEWS.map(([column]) => `c.${column}`).join(', ')})`;

// Returns those that were not written. A listener's complaint may have changed the standing since the claim; then
// nothing is written, and it is tried again with the current standing. Otherwise the complaint would be lost.
const finish = statement(
  'stream-checks-finish',
  { stream_id: 'int8' },
  `WITH u AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS u (id bigint, "claimedAt" timestamptz, "knownAt" timestamptz, due float8,
       failures smallint, verdict text, "isHeard" boolean, standing float8, "standingMs" float8, "isMeasured" boolean,
       format text, playlist text, codec text, container text, bitrate integer, "sampleRate" integer,
       "resolvedAddress" text, redirects smallint, steps jsonb)
   ), written AS (
     UPDATE stream_checks c SET next_due_at = now() + make_interval(secs => u.due), put_off = 0, checked_at = now(),
       alive_at = CASE WHEN u.verdict = 'plays' THEN now() ELSE c.alive_at END, failures = u.failures, verdict = u.verdict,
       standing = u.standing, standing_at = to_timestamp(u."standingMs" / 1000),
       ${MEASURED.map(([column, name]) => `${column} = CASE WHEN u."isMeasured" THEN u.${name} ELSE c.${column} END`).join(', ')},
       steps = u.steps, health = health_after(c.health, c.health_day, ${TODAY}, u."isHeard"), health_day = ${TODAY},
       failed_at = CASE WHEN u.verdict = 'plays' THEN c.failed_at ELSE now() END,
       failure = CASE WHEN u.verdict = 'plays' THEN c.failure ELSE u.steps -> -1 ->> 'detail' END,
       failure_code = CASE WHEN u.verdict = 'plays' THEN c.failure_code ELSE u.steps -> -1 ->> 'code' END,
       changed_at = CASE WHEN ${IS_NEWS} THEN now() ELSE c.changed_at END
     FROM u
     WHERE c.stream_id = ANY ($2::bigint[]) AND c.stream_id = u.id AND c.claimed_at = u."claimedAt"
       AND c.standing_at IS NOT DISTINCT FROM u."knownAt"
     RETURNING c.stream_id
   )
   SELECT id AS stream_id FROM u WHERE id NOT IN (SELECT stream_id FROM written)`,
);

const standingsNow = statement(
  'stream-checks-standings',
  { stream_id: 'int8', standing: 'float8?', standing_at: 'text?', standing_ms: 'float8?' },
  `SELECT c.stream_id, c.standing, c.standing_at::text AS standing_at,
     extract(epoch FROM c.standing_at)::float8 * 1000 AS standing_ms
   FROM unnest($1::bigint[], $2::timestamptz[]) AS u (stream_id, claimed_at)
   JOIN stream_checks c ON c.stream_id = u.stream_id AND c.claimed_at = u.claimed_at
   WHERE c.stream_id = ANY ($1)`,
);

const MAX_TRIES = 5;

/** Writes check results, many in one statement; skips streams that another worker has claimed since. */
export async function finishStreams(db: Queryable, checks: readonly StreamCheck[]): Promise<void> {
  let left = checks;
  for (let tries = 0; left.length > 0 && tries < MAX_TRIES; tries += 1) {
    const unwritten = await finish.run(db, [JSON.stringify(left.map(rowOf)), left.map(idOf)]);
    const ids = new Set(unwritten.map(({ stream_id }) => stream_id));
    left = await asOfNow(
      db,
      left.filter((check) => ids.has(idOf(check))),
    );
  }
}

const idOf = ({ due }: StreamCheck): number => due.stream_id;

/** Those that are still claimed by us, with their current standing. */
async function asOfNow(db: Queryable, checks: readonly StreamCheck[]): Promise<StreamCheck[]> {
  if (checks.length === 0) return [];
  const rows = await standingsNow.run(db, [checks.map(idOf), checks.map(({ due }) => due.claimed_at)]);
  const byId = new Map(rows.map((row) => [row.stream_id, row]));
  return checks.flatMap((check) => {
    const now = byId.get(idOf(check));
    return now ? [{ ...check, due: { ...check.due, ...now } }] : [];
  });
}

function rowOf({ due, evidence, verdict, facts, failures, steps, dueInSeconds }: StreamCheck) {
  const standing = reliabilityAfter(standingOf(due, evidence.atMs), evidence);
  return {
    ...facts,
    isMeasured: facts !== undefined,
    id: due.stream_id,
    claimedAt: due.claimed_at,
    knownAt: due.standing_at,
    due: dueInSeconds,
    failures,
    verdict,
    isHeard: isHeardOn(verdict),
    standing: standing.value,
    standingMs: standing.atMs,
    steps,
  };
}

/** Before the first probe the source's value counts. */
const standingOf = ({ standing, standing_ms: atMs, reliability }: DueStream, nowMs: number): Standing =>
  standing === null || atMs === null ? { value: reliability, atMs: nowMs } : { value: standing, atMs };

/** Whether checks or listeners changed anything since the catalogue's last version. */
export const hasStreamNews = statement(
  'stream-checks-any-news',
  { has_news: 'bool' },
  `SELECT coalesce((SELECT max(changed_at) FROM stream_checks) > (SELECT changed_at FROM catalogue), false) AS has_news`,
).oneValue();

const COLUMNS = {
  stream_id: 'int8',
  checked_at: 'timestamptz?',
  alive_at: 'timestamptz?',
  steps: 'jsonb?',
  /** More bits than a number can represent. */
  health: 'text',
  health_day: 'date?',
  failed_at: 'timestamptz?',
  failure: 'text?',
  failure_code: 'text?',
} as const;

/** What the checks of a stream found, to explain its rank. */
export interface StreamFinding {
  checkedAt: Temporal.Instant | undefined;
  aliveAt: Temporal.Instant | undefined;
  /** Of the last check. */
  steps: readonly CheckStep[];
  /** The last thirty days, the oldest first; undefined when none was stored. */
  health: readonly DayHealth[] | undefined;
  failedAt: Temporal.Instant | undefined;
  /** Why nothing was heard. */
  failure: string | undefined;
  /** The same as a code; undefined for checks stored before codes existed. */
  failureCode: FailureCode | undefined;
}

const findings = statement(
  'stream-findings',
  COLUMNS,
  `SELECT stream_id, checked_at, alive_at, steps, health::text AS health, health_day, failed_at,
     failure, failure_code
   FROM stream_checks WHERE stream_id = ANY ($1::int8[])`,
);

/** By the stream's id; without those that were never probed. */
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
