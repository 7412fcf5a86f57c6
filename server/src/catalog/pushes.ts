import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const SUBSCRIPTION = { topic: 'text', key: 'bytea', asked_at: 'timestamptz?' } as const;
export type Subscription = RowOf<typeof SUBSCRIPTION>;

const find = statement(
  'subscription-by-show',
  SUBSCRIPTION,
  'SELECT topic, key, asked_at FROM feed_hubs WHERE show_id = $1',
);

export async function findSubscription(db: Queryable, showId: number): Promise<Subscription | undefined> {
  const [found] = await find.run(db, [showId]);
  return found;
}

/** Renewed before its time, each at another part of it, so that what was agreed together is not asked for together. */
const confirm = statement(
  'subscription-confirm',
  {},
  `WITH agreed AS (
     UPDATE feed_hubs SET failures = 0,
       next_due_at = now() + greatest(interval '1 hour', $3 * (0.7 + 0.15 * random()) * interval '1 second')
     WHERE show_id = $1 AND key = $2 RETURNING show_id
   )
   UPDATE feeds SET pushed_until = now() + $3 * interval '1 second'
   FROM agreed WHERE feeds.show_id = agreed.show_id`,
);

/** The hub has agreed to tell for so long. */
export async function confirmSubscription(
  db: Queryable,
  showId: number,
  key: Buffer,
  leaseSeconds: number,
): Promise<void> {
  await confirm.run(db, [showId, key, leaseSeconds]);
}

/** While a reading that was caused is still to come, further news change nothing: it will read them too. */
const want = statement(
  'feed-want',
  { show_id: 'int8' },
  `UPDATE feeds SET wanted_at = greatest(now(), wanted_at + interval '1 minute'),
     next_due_at = least(next_due_at, greatest(now(), wanted_at + interval '1 minute'))
   WHERE show_id = $1 AND gone_at IS NULL AND (wanted_at IS NULL OR wanted_at <= now())
   RETURNING show_id`,
);

/**
 * Has a feed read as soon as may be: at once, or a minute after the reading that was caused before. False when one is to
 * come already.
 */
export async function wantFeed(db: Queryable, showId: number): Promise<boolean> {
  const wanted = await want.run(db, [showId]);
  return wanted.length > 0;
}

/**
 * For the statement by which a reading of a feed ends: when to read it next, as SQL. `feed` is what that statement calls
 * the row, `due` when it would be by itself, `startedAt` when this reading began. News that came in the meantime are
 * read at once. A feed whose hub has agreed to tell, and has told before, is asked by us every six hours at most: many
 * feeds name a hub that they never call.
 */
export const dueWithPushes = (feed: string, due: string, startedAt: string): string =>
  `CASE WHEN ${feed}.wanted_at > ${startedAt} THEN least(${feed}.wanted_at, ${due})
     WHEN ${feed}.pushed_until > now() AND ${feed}.wanted_at IS NOT NULL
       THEN greatest(${due}, now() + interval '6 hours')
     ELSE ${due} END`;
