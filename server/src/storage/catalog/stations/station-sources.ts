import type { Validators } from '../../../lib/answer-headers.ts';
import { uuidOf } from '../../../lib/ids.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

/** A worker renews its claim while it reads; that of one that died ends by then. */
export const SOURCE_LEASE_SECONDS = 600;

const add = statement(
  'station-sources-add',
  {},
  `INSERT INTO station_sources (name) SELECT u.name FROM unnest($1::text[]) AS u (name)
   WHERE NOT EXISTS (SELECT FROM station_sources s WHERE s.name = u.name) ON CONFLICT DO NOTHING`,
);

const CLAIMED = {
  name: 'text',
  /** As PostgreSQL formats it: it is only compared there. */
  claimed_at: 'text',
  address_key: 'uuid?',
  etag: 'text?',
  last_modified: 'text?',
  failures: 'int2',
} as const;

/** A source that this process may read until its lease ends, with what it knows of the last time. */
export type ClaimedSource = RowOf<typeof CLAIMED>;

const claim = statement(
  'station-sources-claim',
  CLAIMED,
  `UPDATE station_sources SET claimed_at = now(), next_due_at = now() + interval '${SOURCE_LEASE_SECONDS} seconds'
   WHERE name = (
     SELECT name FROM station_sources WHERE name = ANY ($1::text[]) AND (next_due_at <= now() OR $2::boolean)
     ORDER BY next_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
   ) RETURNING name, now()::text AS claimed_at, address_key, etag, last_modified, failures`,
);

/** One of these sources that is due, if any; no other worker gets it until the lease ends. */
export async function claimSource(
  db: Queryable,
  names: readonly string[],
): Promise<ClaimedSource | undefined> {
  await add.run(db, [names]);
  return (await claim.run(db, [names, false]))[0];
}

/** This source, due or not, for an operator; a worker that is reading it at the moment then records nothing. */
export async function claimSourceNow(db: Queryable, name: string): Promise<ClaimedSource> {
  await add.run(db, [[name]]);
  const [claimed] = await claim.run(db, [[name], true]);
  if (!claimed) throw new Error(`somebody else is just claiming ${name}; run this again`);
  return claimed;
}

export const renewClaim = statement(
  'station-sources-renew',
  {},
  `UPDATE station_sources SET next_due_at = now() + interval '${SOURCE_LEASE_SECONDS} seconds'
   WHERE name = $1 AND claimed_at = $2::timestamptz`,
).command(({ name, claimed_at }: ClaimedSource) => [name, claimed_at]);

/** A source that was read to its end, or found unchanged. */
export interface SourceRead extends Validators {
  addressKey: string;
  dueInSeconds: number;
  /** It lacked so many records that none counts as gone. */
  held: { known: number; lost: number } | undefined;
}

export const recordSourceRead = statement(
  'station-sources-finish',
  {},
  `UPDATE station_sources SET next_due_at = now() + make_interval(secs => $3), claimed_at = NULL, read_at = now(),
     address_key = $4, etag = $5, last_modified = $6, known = $7, lost = $8, failures = 0, trouble = NULL
   WHERE name = $1 AND claimed_at = $2::timestamptz`,
).command(
  (
    { name, claimed_at }: ClaimedSource,
    { dueInSeconds, addressKey, etag, lastModified, held }: SourceRead,
  ) => [name, claimed_at, dueInSeconds, addressKey, etag, lastModified, held?.known, held?.lost],
);

export const recordSourceFailure = statement(
  'station-sources-fail',
  {},
  `UPDATE station_sources SET next_due_at = now() + make_interval(secs => $3), claimed_at = NULL,
     failures = least(failures + 1, 1000), trouble = left($4, 500)
   WHERE name = $1 AND claimed_at = $2::timestamptz`,
).command(
  (
    { name, claimed_at }: ClaimedSource,
    { dueInSeconds, trouble }: { dueInSeconds: number; trouble: string },
  ) => [name, claimed_at, dueInSeconds, trouble],
);

/** The process stops before the source was read: whoever works next begins again. */
export const putBackSource = statement(
  'station-sources-put-back',
  {},
  `UPDATE station_sources SET next_due_at = now(), claimed_at = NULL
   WHERE name = $1 AND claimed_at = $2::timestamptz`,
).command(({ name, claimed_at }: ClaimedSource) => [name, claimed_at]);

const readBefore = statement(
  'station-source-read',
  { read_at: 'timestamptz?' },
  'SELECT read_at FROM station_sources WHERE name = $1 AND address_key = $2 AND read_at IS NOT NULL',
);

/** When a source was last read to its end from this address. */
export async function findSourceRead(
  db: Queryable,
  name: string,
  address: string,
): Promise<Temporal.Instant | undefined> {
  const [found] = await readBefore.run(db, [name, uuidOf(address)]);
  return found?.read_at ?? undefined;
}

/** How each source is doing. */
export const listSources = statement(
  'station-sources-state',
  { name: 'text', read_at: 'timestamptz?', trouble: 'text?' },
  'SELECT name, read_at, trouble FROM station_sources ORDER BY name LIMIT 100',
).all();
