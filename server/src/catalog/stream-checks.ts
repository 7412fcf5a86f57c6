import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import type { StreamFormat } from '../lib/stream-format.ts';
import type { Verdict } from '../lib/verdict.ts';
import type { DueStream } from './due-streams.ts';
import { type Evidence, type Standing, reliabilityAfter } from './reliability.ts';
import { isHeardOn } from './stream-health.ts';

/** What was measured of a stream that was heard. */
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

/** One thing that was done on the way to the sound; the address where it is another than the one before. */
export interface CheckStep {
  what: string;
  address?: string | undefined;
  ms: number;
  status?: number | undefined;
  detail: string;
  /** Of the last, where nothing was heard. */
  code?: FailureCode | undefined;
}

/** What came of listening to a claimed stream. */
export interface StreamCheck {
  due: DueStream;
  verdict: Verdict;
  evidence: Evidence;
  /** Undefined where it was not heard: then what was measured last still holds. */
  facts: StreamFacts | undefined;
  failures: number;
  steps: readonly CheckStep[];
  dueInSeconds: number;
}

const TODAY = "(now() AT TIME ZONE 'UTC')::date";

// A listener's complaint may have moved the standing since the claim; then nothing is written, and it is tried anew with
// what is known by now. Without that the complaint would be lost.
const finish = statement(
  'stream-checks-finish',
  { stream_id: 'int8' },
  `UPDATE stream_checks c SET next_due_at = now() + make_interval(secs => u.due), put_off = 0, checked_at = now(),
     alive_at = CASE WHEN u.verdict = 'plays' THEN now() ELSE c.alive_at END, failures = u.failures, verdict = u.verdict,
     standing = u.standing, standing_at = to_timestamp(u."standingMs" / 1000), format = u.format, playlist = u.playlist, codec = u.codec,
     container = u.container, bitrate = u.bitrate, sample_rate = u."sampleRate", resolved_address = u.resolved,
     redirects = u.redirects, steps = u.steps, health = health_after(c.health, c.health_day, ${TODAY}, u."isHeard"),
     health_day = ${TODAY}, failed_at = CASE WHEN u.verdict = 'plays' THEN c.failed_at ELSE now() END,
     failure = CASE WHEN u.verdict = 'plays' THEN c.failure ELSE u.steps -> -1 ->> 'detail' END,
     failure_code = CASE WHEN u.verdict = 'plays' THEN c.failure_code ELSE u.steps -> -1 ->> 'code' END, changed_at = CASE WHEN u."isNews" THEN now() ELSE c.changed_at END
   FROM jsonb_to_recordset($1::jsonb) AS u (id bigint, "claimedAt" timestamptz, "knownAt" timestamptz, due float8,
     failures smallint, verdict text, "isHeard" boolean, standing float8, "standingMs" float8, format text, playlist text, codec text,
     container text, bitrate integer, "sampleRate" integer, resolved text, redirects smallint, steps jsonb, "isNews" boolean)
   WHERE c.stream_id = ANY ($2::bigint[]) AND c.stream_id = u.id AND c.claimed_at = u."claimedAt"
     AND c.standing_at IS NOT DISTINCT FROM u."knownAt"
   RETURNING c.stream_id`,
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

const MOST_TRIES = 5;

/** Writes down what was found, many in one statement; nothing of streams that others have claimed since. */
export async function finishStreams(db: Queryable, checks: readonly StreamCheck[]): Promise<void> {
  let left = checks;
  for (let tries = 0; left.length > 0 && tries < MOST_TRIES; tries += 1) {
    const rows = await finish.run(db, [JSON.stringify(left.map(rowOf)), left.map(idOf)]);
    const written = new Set(rows.map(({ stream_id }) => stream_id));
    left = await asOfNow(
      db,
      left.filter((check) => !written.has(idOf(check))),
    );
  }
}

const idOf = ({ due }: StreamCheck): number => due.stream_id;

/** Those that are still ours, with the standing they have by now. */
async function asOfNow(db: Queryable, checks: readonly StreamCheck[]): Promise<StreamCheck[]> {
  if (checks.length === 0) return [];
  const rows = await standingsNow.run(db, [checks.map(idOf), checks.map(({ due }) => due.claimed_at)]);
  const byId = new Map(rows.map((row) => [row.stream_id, row]));
  return checks.flatMap((check) => {
    const now = byId.get(idOf(check));
    return now ? [{ ...check, due: { ...check.due, ...now } }] : [];
  });
}

function rowOf(check: StreamCheck) {
  const { due, evidence, verdict, failures, steps, dueInSeconds } = check;
  const facts = check.facts ?? knownFacts(due);
  const standing = reliabilityAfter(standingOf(due, evidence.atMs), evidence);
  return {
    ...facts,
    id: due.stream_id,
    claimedAt: due.claimed_at,
    knownAt: due.standing_at,
    due: dueInSeconds,
    failures,
    verdict,
    isHeard: isHeardOn(verdict),
    standing: standing.value,
    standingMs: standing.atMs,
    resolved: facts.resolvedAddress,
    steps,
    isNews: isNews(due, verdict, facts, standing),
  };
}

/** Before the first look a source's word holds. */
const standingOf = ({ standing, standing_ms: atMs, reliability }: DueStream, nowMs: number): Standing =>
  standing === null || atMs === null ? { value: reliability, atMs: nowMs } : { value: standing, atMs };

const knownFacts = (due: DueStream) => ({
  format: due.format,
  playlist: due.playlist,
  codec: due.codec,
  container: due.container,
  bitrate: due.bitrate,
  sampleRate: due.sample_rate,
  resolvedAddress: due.resolved_address,
  redirects: due.redirects,
});

type Facts = StreamFacts | ReturnType<typeof knownFacts>;

/** Whether Tune would go by something else now. */
function isNews(due: DueStream, verdict: Verdict, facts: Facts, { value }: Standing): boolean {
  // Streams are told apart by whole points, and one that plays on and on soon gains none.
  const hasMoved = due.standing === null || Math.round(value) !== Math.round(due.standing);
  return (
    hasMoved ||
    verdict !== due.verdict ||
    (facts.format ?? null) !== due.format ||
    (facts.playlist ?? null) !== due.playlist ||
    (facts.codec ?? null) !== due.codec ||
    (facts.bitrate ?? null) !== due.bitrate ||
    (facts.resolvedAddress ?? null) !== due.resolved_address ||
    (facts.redirects ?? null) !== due.redirects
  );
}

const anyNews = statement(
  'stream-checks-any-news',
  { has_news: 'bool' },
  `SELECT coalesce((SELECT max(changed_at) FROM stream_checks) > (SELECT changed_at FROM catalogue), false) AS has_news`,
);

/** Whether checks or listeners found out anything that the catalogue's version does not stand for yet. */
export const hasStreamNews = async (db: Queryable): Promise<boolean> =>
  (await anyNews.run(db, []))[0]?.has_news ?? false;
