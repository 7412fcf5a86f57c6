import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

/** A feed's hub and the topic to subscribe to. */
export interface HubOffer {
  hub: string;
  topic: string;
}

const KEY_BYTES = 32;
const MAX_ADDRESS_LENGTH = 2048;

/** A feed that names another hub on each read triggers one subscription request per hour at most. */
const note = statement(
  'feed-hub-note',
  {},
  `WITH noted AS (
     INSERT INTO feed_hubs (show_id, hub, topic, key)
     SELECT $1, $2, $3, $4
     WHERE NOT EXISTS (SELECT FROM feed_hubs h WHERE h.show_id = $1 AND h.hub = $2 AND h.topic = $3)
     ON CONFLICT (show_id) DO UPDATE SET hub = excluded.hub, topic = excluded.topic, key = excluded.key,
       failures = 0, next_due_at = greatest(now(), feed_hubs.asked_at + interval '1 hour'), asked_at = NULL
     RETURNING show_id
   )
   UPDATE feeds SET pushed_until = NULL FROM noted
   WHERE feeds.show_id = noted.show_id AND feeds.pushed_until IS NOT NULL`,
);

const remove = statement(
  'feed-hub-forget',
  {},
  `WITH forgotten AS (DELETE FROM feed_hubs WHERE show_id = $1 RETURNING show_id)
   UPDATE feeds SET pushed_until = NULL FROM forgotten WHERE feeds.show_id = forgotten.show_id`,
);

/**
 * Stores the hub that a feed names, or that it names none. Writes only on a change: an earlier subscription is then
 * void, and its hub is told so when it next calls. The caller checks whether the hub may be contacted. Call it outside
 * of a transaction that locks the feed's row.
 */
export async function noteHub(db: Queryable, showId: number, offer: HubOffer | undefined): Promise<void> {
  if (offer && offer.topic.length <= MAX_ADDRESS_LENGTH)
    await note.run(db, [showId, offer.hub, offer.topic, randomBytes(KEY_BYTES)]);
  else await remove.run(db, [showId]);
}

const DUE_HUB = { show_id: 'int8', hub: 'text', topic: 'text', key: 'bytea' } as const;
export type DueHub = RowOf<typeof DUE_HUB>;

/**
 * Each claim counts as a failure until the hub confirms, so that a missing response or a dead worker needs no write.
 * After failures it is tried again in 1, 2, 4 … hours, in the end once in 30 days. Feeds that are gone are not
 * subscribed to.
 */
export const claimHubs = statement(
  'feed-hubs-claim',
  DUE_HUB,
  `WITH due AS (
     SELECT h.show_id, f.gone_at IS NOT NULL AS is_gone FROM feed_hubs h JOIN feeds f ON f.show_id = h.show_id
     WHERE h.next_due_at <= now() ORDER BY h.next_due_at LIMIT $1 FOR UPDATE OF h SKIP LOCKED
   ), ended AS (
     DELETE FROM feed_hubs WHERE show_id = ANY (ARRAY(SELECT show_id FROM due WHERE is_gone))
   )
   UPDATE feed_hubs SET asked_at = now(), failures = least(failures + 1, 10),
     next_due_at = now() + least(interval '1 hour' * 2 ^ failures, interval '30 days')
   WHERE show_id = ANY (ARRAY(SELECT show_id FROM due WHERE NOT is_gone))
   RETURNING show_id, hub, topic, key`,
).all((most: number) => [most]);

/** The request was not sent, for reasons unrelated to the hub. */
export const releaseHub = statement(
  'feed-hub-release',
  {},
  `UPDATE feed_hubs SET failures = greatest(failures - 1, 0), next_due_at = now() + interval '5 minutes'
   WHERE show_id = $1 AND key = $2`,
).command(({ show_id, key }: DueHub) => [show_id, key]);

/** The hub refused; it is tried again after a month. */
export const putOffHub = statement(
  'feed-hub-put-off',
  {},
  `WITH refused AS (
     UPDATE feed_hubs SET failures = 10, next_due_at = now() + interval '30 days'
     WHERE show_id = $1 AND key = $2 RETURNING show_id
   )
   UPDATE feeds SET pushed_until = NULL FROM refused
   WHERE feeds.show_id = refused.show_id AND feeds.pushed_until IS NOT NULL`,
).command((showId: number, key: Buffer) => [showId, key]);

const SUBSCRIPTION = { topic: 'text', key: 'bytea', asked_at: 'timestamptz?' } as const;
export type Subscription = RowOf<typeof SUBSCRIPTION>;

export const findSubscription = statement(
  'subscription-by-show',
  SUBSCRIPTION,
  'SELECT topic, key, asked_at FROM feed_hubs WHERE show_id = $1',
).first((showId: number) => [showId]);

/**
 * The hub confirmed the subscription for this long. Renewed early, each at a different fraction of its lease, so that
 * renewals of one moment spread out.
 */
export const confirmSubscription = statement(
  'subscription-confirm',
  {},
  `WITH agreed AS (
     UPDATE feed_hubs SET failures = 0,
       next_due_at = now() + greatest(interval '1 hour', $3 * (0.7 + 0.15 * random()) * interval '1 second')
     WHERE show_id = $1 AND key = $2 RETURNING show_id
   )
   UPDATE feeds SET pushed_until = now() + $3 * interval '1 second'
   FROM agreed WHERE feeds.show_id = agreed.show_id`,
).command((showId: number, key: Buffer, leaseSeconds: number) => [showId, key, leaseSeconds]);

/**
 * Requests a read of the feed as soon as allowed: immediately, or a minute after the previous requested read. False
 * when one is already pending. While a requested read is pending, further pushes change nothing: it will include
 * them.
 */
export const wantFeed = statement(
  'feed-want',
  { show_id: 'int8' },
  `UPDATE feeds SET wanted_at = greatest(now(), wanted_at + interval '1 minute'),
     next_due_at = least(next_due_at, greatest(now(), wanted_at + interval '1 minute'))
   WHERE show_id = $1 AND gone_at IS NULL AND (wanted_at IS NULL OR wanted_at <= now())
   RETURNING show_id`,
).exists((showId: number) => [showId]);

/**
 * For the statement that ends a read of a feed: the next due time, as SQL. `feed` is the row's alias, `due` its regular
 * due time, `startedAt` when this read began. A push received since then triggers an immediate read. A feed with a
 * confirmed hub that has pushed before is polled every six hours at most: many feeds name a hub that they never notify.
 */
export const dueWithPushes = (feed: string, due: string, startedAt: string): string =>
  `CASE WHEN ${feed}.wanted_at > ${startedAt} THEN least(${feed}.wanted_at, ${due})
     WHEN ${feed}.pushed_until > now() AND ${feed}.wanted_at IS NOT NULL
       THEN greatest(${due}, now() + interval '6 hours')
     ELSE ${due} END`;
