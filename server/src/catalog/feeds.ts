import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const add = statement(
  'feeds-add',
  { show_id: 'int8' },
  `INSERT INTO feeds (show_id, host) SELECT s.id, host_of(s.feed_address) FROM shows s
   WHERE s.id = ANY ($1::bigint[]) AND NOT EXISTS (SELECT FROM feeds f WHERE f.show_id = s.id)
   ON CONFLICT DO NOTHING RETURNING show_id`,
);

/** Shows whose feeds are to be read from now on; those that are read already go on as they do. */
export async function addFeeds(db: Queryable, showIds: readonly number[]): Promise<void> {
  await add.run(db, [showIds]);
}

const lock = statement(
  'feeds-lock',
  { show_id: 'int8', digest: 'uuid?' },
  'SELECT show_id, digest FROM feeds WHERE show_id = ANY ($1::bigint[]) ORDER BY show_id FOR UPDATE',
);

/**
 * Digests of what the feeds told last, nothing for those that were never read. Until the transaction ends nobody else
 * writes what they tell. Locked in order, so that two who want the same wait for each other and never both.
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

const setDigests = statement(
  'feeds-set-digests',
  {},
  `UPDATE feeds f SET digest = u.digest, changed_at = now()
   FROM unnest($1::bigint[], $2::uuid[]) AS u (show_id, digest)
   WHERE f.show_id = ANY ($1::bigint[]) AND f.show_id = u.show_id`,
);

export async function setFeedDigests(db: Queryable, digests: ReadonlyMap<number, string>): Promise<void> {
  await setDigests.run(db, [[...digests.keys()], [...digests.values()]]);
}
