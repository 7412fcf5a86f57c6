import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { dueWithPushes } from './pushes.ts';

const COLUMNS = {
  show_id: 'int8',
  host: 'text?',
  address: 'text',
  etag: 'text?',
  last_modified: 'text?',
  interval_seconds: 'int4',
  failures: 'int2',
  digest: 'uuid?',
  has_hub: 'bool',
  claimed_at: 'timestamptz',
} as const;

/** A feed whose time has come, with what is needed to ask for it. */
export type DueFeed = RowOf<typeof COLUMNS>;

/** Given out at once; who has room for more asks again. */
const MOST = 50;
/** Looked at for that, so that one host's thousands do not stand before all others. */
const WINDOW = 100;

// The claim is the due time itself, moved behind the lease: no job rows to keep, and a worker that dies gives its feeds
// back by doing nothing. A host's feeds beyond what may be asked of it at once are put off, each a fiftieth of a second
// behind the one before and twice as long each time, so that the next claim finds others, and a host that has a hundred
// thousand due does not have them all written down again every ten seconds. The window is a number in the text: with a
// parameter PostgreSQL plans for a tenth of the table.
const claim = statement(
  'feeds-claim',
  COLUMNS,
  `WITH due AS (
     SELECT show_id, host, next_due_at FROM feeds WHERE gone_at IS NULL AND next_due_at <= now()
     ORDER BY next_due_at LIMIT ${WINDOW} FOR UPDATE SKIP LOCKED
   ), turned AS (
     SELECT d.show_id, d.next_due_at, row_number() OVER (PARTITION BY d.host ORDER BY d.next_due_at)
       + coalesce(b.busy, 0) AS turn
     FROM due d LEFT JOIN unnest($3::text[], $4::integer[]) AS b (host, busy) ON b.host = d.host
   ), placed AS (
     SELECT show_id, turn, row_number() OVER (ORDER BY turn > $5::integer, next_due_at) AS place FROM turned
   ), moved AS (
     UPDATE feeds f SET next_due_at = now() + make_interval(secs => CASE WHEN p.turn <= $5 THEN $2
         ELSE least(0.02 * (p.turn - $5) * 2 ^ f.put_off, 600) END),
       put_off = CASE WHEN p.turn <= $5 THEN f.put_off ELSE least(f.put_off + 1, 12) END
     FROM placed p WHERE p.show_id = f.show_id AND (p.turn > $5 OR p.place <= $1)
     RETURNING f.*, p.turn
   )
   SELECT m.show_id, m.host, coalesce(s.feed_address, '') AS address, m.etag, m.last_modified, m.interval_seconds, m.failures, m.digest,
     EXISTS (SELECT FROM feed_hubs h WHERE h.show_id = m.show_id) AS has_hub, now() AS claimed_at
   FROM moved m JOIN shows s ON s.id = m.show_id WHERE m.turn <= $5 AND s.feed_address IS NOT NULL`,
);

export interface FeedClaim {
  most: number;
  leaseSeconds: number;
  /** How many of each host the caller is asking already. */
  busy: ReadonlyMap<string, number>;
  mostPerHost: number;
}

/** Feeds that are due, the longest due first; nobody else is given them until the lease is over. */
export const claimFeeds = (
  db: Queryable,
  { most, leaseSeconds, busy, mostPerHost }: FeedClaim,
): Promise<DueFeed[]> =>
  claim.run(db, [Math.min(most, MOST), leaseSeconds, [...busy.keys()], [...busy.values()], mostPerHost]);

/** How the reading of a feed went, and when it is due again. */
export interface FeedOutcome {
  showId: number;
  claimedAt: Temporal.Instant;
  dueInSeconds: number;
  intervalSeconds: number;
  failures: number;
  etag?: string | undefined;
  lastModified?: string | undefined;
  trouble?: string | undefined;
  isGone?: boolean | undefined;
}

const DUE = 'now() + make_interval(secs => u."dueInSeconds")';

const finish = statement(
  'feeds-finish',
  { show_id: 'int8' },
  `UPDATE feeds f SET next_due_at = CASE WHEN u.failures > 0 THEN ${DUE}
       ELSE ${dueWithPushes('f', DUE, 'u."claimedAt"')} END,
     interval_seconds = u."intervalSeconds", failures = u.failures, etag = u.etag, last_modified = u."lastModified",
     trouble = u.trouble, put_off = 0, gone_at = CASE WHEN u."isGone" THEN now() END
   FROM jsonb_to_recordset($1::jsonb) AS u ("showId" bigint, "claimedAt" timestamptz, "dueInSeconds" float8, "intervalSeconds" integer,
     failures smallint, etag text, "lastModified" text, trouble text, "isGone" boolean)
   WHERE f.show_id = ANY ($2::bigint[]) AND f.show_id = u."showId" RETURNING f.show_id`,
);

/** Writes down how readings went; many in one statement. */
export async function finishFeeds(db: Queryable, outcomes: readonly FeedOutcome[]): Promise<void> {
  await finish.run(db, [JSON.stringify(outcomes), outcomes.map(({ showId }) => showId)]);
}

const move = statement(
  'feed-move',
  { id: 'int8' },
  `UPDATE shows SET feed_address = $2, feed_key = $3 WHERE id = $1
   AND NOT EXISTS (SELECT FROM shows o WHERE o.feed_key = $3 AND o.id <> $1) RETURNING id`,
);

const moveHost = statement('feed-move-host', {}, 'UPDATE feeds SET host = host_of($2) WHERE show_id = $1');

/** From now on its feed is read there; false when another show has that feed already. Run inside a transaction. */
export async function moveFeed(
  db: Queryable,
  showId: number,
  to: { address: string; key: string },
): Promise<boolean> {
  const moved = await move.run(db, [showId, to.address, to.key]);
  if (moved.length > 0) await moveHost.run(db, [showId, to.address]);
  return moved.length > 0;
}
