import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const add = statement(
  'feeds-add',
  { show_id: 'int8' },
  `INSERT INTO feeds (show_id) SELECT u.id FROM unnest($1::bigint[]) AS u (id)
   WHERE NOT EXISTS (SELECT FROM feeds f WHERE f.show_id = u.id) ON CONFLICT DO NOTHING RETURNING show_id`,
);

/** Shows whose feeds are to be read from now on; those that are read already go on as they do. */
export async function addFeeds(db: Queryable, showIds: readonly number[]): Promise<void> {
  await add.run(db, [showIds]);
}

const lock = statement(
  'feed-lock',
  { digest: 'uuid?' },
  'SELECT digest FROM feeds WHERE show_id = $1 FOR UPDATE',
);

/** Digest of what the feed told last, if it was ever read. Until the transaction ends, nobody else writes what it tells. */
export async function lockFeed(db: Queryable, showId: number): Promise<string | undefined> {
  const [known] = await lock.run(db, [showId]);
  if (known) return known.digest ?? undefined;
  await addFeeds(db, [showId]);
  const [added] = await lock.run(db, [showId]);
  return added?.digest ?? undefined;
}

const setDigest = statement(
  'feed-set-digest',
  {},
  'UPDATE feeds SET digest = $2, changed_at = now() WHERE show_id = $1',
);

export async function setFeedDigest(db: Queryable, showId: number, digest: string): Promise<void> {
  await setDigest.run(db, [showId, digest]);
}
