import type { Queryable } from '../../db/pool.ts';
import type { Validators } from '../../../lib/answer-headers.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import { type Claim, claimDue, claimParams } from '../claim-due.ts';
import { dueWithPushes } from './feed-hubs.ts';

/** Shows whose feeds are read from now on; existing ones keep their schedule. */
export const addFeeds = statement(
  'feeds-add',
  { show_id: 'int8' },
  `INSERT INTO feeds (show_id, host) SELECT s.id, host_of(s.feed_address) FROM shows s
   WHERE s.id = ANY ($1::bigint[]) AND NOT EXISTS (SELECT FROM feeds f WHERE f.show_id = s.id)
   ON CONFLICT DO NOTHING RETURNING show_id`,
).command((showIds: readonly number[]) => [showIds]);

const lock = statement(
  'feeds-lock',
  { show_id: 'int8', digest: 'uuid?' },
  'SELECT show_id, digest FROM feeds WHERE show_id = ANY ($1::bigint[]) ORDER BY show_id FOR UPDATE',
);

/**
 * The digests of the feeds' last content, undefined for those never read. Locks the feeds until the transaction ends,
 * in order of id, to prevent deadlocks.
 */
export async function lockFeeds(
  db: Queryable,
  showIds: readonly number[],
): Promise<Map<number, string | undefined>> {
  let rows = await lock.run(db, [showIds]);
  if (rows.length < showIds.length) {
    await addFeeds(db, showIds);
    rows = await lock.run(db, [showIds]);
  }
  return new Map(rows.map(({ show_id, digest }) => [show_id, digest ?? undefined]));
}

export const setFeedDigests = statement(
  'feeds-set-digests',
  {},
  `UPDATE feeds f SET digest = u.digest, changed_at = now()
   FROM unnest($1::bigint[], $2::uuid[]) AS u (show_id, digest)
   WHERE f.show_id = ANY ($1::bigint[]) AND f.show_id = u.show_id`,
).command((digests: ReadonlyMap<number, string>) => [[...digests.keys()], [...digests.values()]]);

const COLUMNS = {
  show_id: 'int8',
  host: 'text?',
  address: 'text',
  etag: 'text?',
  last_modified: 'text?',
  interval_seconds: 'int4',
  failures: 'int2',
  trouble: 'text?',
  digest: 'uuid?',
  has_hub: 'bool',
  claimed_at: 'timestamptz',
} as const;

/** A feed that is due, with what is needed to request it. */
export type DueFeed = RowOf<typeof COLUMNS>;

const MAX = 50;
const WINDOW = 100;

/** Due feeds, the longest due first; no other worker gets them until the lease ends. */
export const claimFeeds = statement(
  'feeds-claim',
  COLUMNS,
  `${claimDue({ table: 'feeds', id: 'show_id', isDue: 'gone_at IS NULL', window: WINDOW })}
   SELECT m.show_id, m.host, coalesce(s.feed_address, '') AS address, m.etag, m.last_modified, m.interval_seconds, m.failures, m.trouble, m.digest,
     EXISTS (SELECT FROM feed_hubs h WHERE h.show_id = m.show_id) AS has_hub, now() AS claimed_at
   FROM moved m JOIN shows s ON s.id = m.show_id WHERE m.turn <= $5 AND s.feed_address IS NOT NULL`,
).all((request: Claim) => claimParams(request, MAX));

/** The result of reading a feed, and when it is due again. */
export interface FeedOutcome extends Validators {
  showId: number;
  claimedAt: Temporal.Instant;
  dueInSeconds: number;
  intervalSeconds: number;
  failures: number;
  trouble?: string | undefined;
  isGone?: boolean | undefined;
}

const DUE = 'now() + make_interval(secs => u."dueInSeconds")';

/** Writes the results of reads; many in one statement. */
export const finishFeeds = statement(
  'feeds-finish',
  { show_id: 'int8' },
  `UPDATE feeds f SET next_due_at = CASE WHEN u.failures > 0 THEN ${DUE}
       ELSE ${dueWithPushes('f', DUE, 'u."claimedAt"')} END,
     interval_seconds = u."intervalSeconds", failures = u.failures, etag = u.etag, last_modified = u."lastModified",
     trouble = u.trouble, put_off = 0, gone_at = CASE WHEN u."isGone" THEN now() END
   FROM jsonb_to_recordset($1::jsonb) AS u ("showId" bigint, "claimedAt" timestamptz, "dueInSeconds" float8, "intervalSeconds" integer,
     failures smallint, etag text, "lastModified" text, trouble text, "isGone" boolean)
   WHERE f.show_id = ANY ($2::bigint[]) AND f.show_id = u."showId" RETURNING f.show_id`,
).command((outcomes: readonly FeedOutcome[]) => [
  JSON.stringify(outcomes),
  outcomes.map(({ showId }) => showId),
]);

const move = statement(
  'feed-move',
  { id: 'int8' },
  `UPDATE shows SET feed_address = $2, feed_key = $3 WHERE id = $1
   AND NOT EXISTS (SELECT FROM shows o WHERE o.feed_key = $3 AND o.id <> $1) RETURNING id`,
);

const moveHost = statement('feed-move-host', {}, 'UPDATE feeds SET host = host_of($2) WHERE show_id = $1');

/** Changes a show's feed address; false when another show has that feed already. Run inside a transaction. */
export async function moveFeed(
  db: Queryable,
  showId: number,
  to: { address: string; key: string },
): Promise<boolean> {
  const moved = await move.run(db, [showId, to.address, to.key]);
  if (moved.length > 0) await moveHost.run(db, [showId, to.address]);
  return moved.length > 0;
}
