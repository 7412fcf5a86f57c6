import { randomBytes } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { checkAddress } from '../lib/fetch-safely/check-address.ts';

/** What a feed says of its hub: whom to ask, and for what. */
export interface HubOffer {
  hub: string;
  topic: string;
}

const KEY_BYTES = 32;
const LONGEST_ADDRESS = 2048;

/** A feed that names another hub at each reading makes us ask once an hour, no more. */
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

const forget = statement(
  'feed-hub-forget',
  {},
  `WITH forgotten AS (DELETE FROM feed_hubs WHERE show_id = $1 RETURNING show_id)
   UPDATE feeds SET pushed_until = NULL FROM forgotten WHERE feeds.show_id = forgotten.show_id`,
);

/**
 * Keeps what a feed says of its hub, or that it names none. Writes only when that is new: an earlier subscription is then
 * void, and its hub is told so when it next calls. To be called outside of a transaction that holds the feed's row.
 */
export async function noteHub(db: Queryable, showId: number, offer: HubOffer | undefined): Promise<void> {
  if (offer && canBeAsked(offer))
    await note.run(db, [showId, offer.hub, offer.topic, randomBytes(KEY_BYTES)]);
  else await forget.run(db, [showId]);
}

function canBeAsked({ hub, topic }: HubOffer): boolean {
  try {
    checkAddress(hub);
    return topic.length <= LONGEST_ADDRESS;
  } catch {
    return false;
  }
}

const DUE_HUB = { show_id: 'int8', hub: 'text', topic: 'text', key: 'bytea' } as const;
export type DueHub = RowOf<typeof DUE_HUB>;

/**
 * Each claim counts as a failure until the hub agrees, so that an answer which never comes, and a worker that dies,
 * need nobody to write them down. Asked in vain, it is asked again in 1, 2, 4 … hours, in the end once in 30 days. Of a
 * feed that is gone nobody wants news.
 */
const claim = statement(
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
);

export const claimHubs = (db: Queryable, most: number): Promise<DueHub[]> => claim.run(db, [most]);

const release = statement(
  'feed-hub-release',
  {},
  `UPDATE feed_hubs SET failures = greatest(failures - 1, 0), next_due_at = now() + interval '5 minutes'
   WHERE show_id = $1 AND key = $2`,
);

/** It could not be asked, for no reason of its own. */
export async function releaseHub(db: Queryable, { show_id, key }: DueHub): Promise<void> {
  await release.run(db, [show_id, key]);
}

const putOff = statement(
  'feed-hub-put-off',
  {},
  `WITH refused AS (
     UPDATE feed_hubs SET failures = 10, next_due_at = now() + interval '30 days'
     WHERE show_id = $1 AND key = $2 RETURNING show_id
   )
   UPDATE feeds SET pushed_until = NULL FROM refused
   WHERE feeds.show_id = refused.show_id AND feeds.pushed_until IS NOT NULL`,
);

/** The hub refuses; it is asked again after a month. */
export async function putOffHub(db: Queryable, showId: number, key: Buffer): Promise<void> {
  await putOff.run(db, [showId, key]);
}
