import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { type Claim, claimDue, claimParams } from './claim-due.ts';
import { dueWithPushes } from './pushes.ts';

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

/** A feed whose time has come, with what is needed to ask for it. */
export type DueFeed = RowOf<typeof COLUMNS>;

const MOST = 50;
const WINDOW = 100;

const claim = statement(
  'feeds-claim',
  COLUMNS,
  `${claimDue({ table: 'feeds', id: 'show_id', isDue: 'gone_at IS NULL', window: WINDOW })}
   SELECT m.show_id, m.host, coalesce(s.feed_address, '') AS address, m.etag, m.last_modified, m.interval_seconds, m.failures, m.trouble, m.digest,
     EXISTS (SELECT FROM feed_hubs h WHERE h.show_id = m.show_id) AS has_hub, now() AS claimed_at
   FROM moved m JOIN shows s ON s.id = m.show_id WHERE m.turn <= $5 AND s.feed_address IS NOT NULL`,
);

/** Feeds that are due, the longest due first; nobody else is given them until the lease is over. */
export const claimFeeds = (db: Queryable, asked: Claim): Promise<DueFeed[]> =>
  claim.run(db, claimParams(asked, MOST));

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
