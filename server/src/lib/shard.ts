/**
 * Topics and folders are asked for by their own id alone, so the id carries where its parent lives: the low ten bits
 * are the parent's logical shard. One read then routes, on one PostgreSQL as on a thousand.
 */
export const SHARD_BITS = 10;
export const SHARDS = 1 << SHARD_BITS;

/** The logical shard of a parent (a show, an account). */
export const shardOf = (parentId: number): number => parentId % SHARDS;

/** The logical shard that a topic's or folder's id carries. */
export const shardInId = (id: number): number => id % SHARDS;

/** The id of the `serial`-th child (a number of the kind's sequence) of a parent. */
export function shardedId(serial: number, parentId: number): number {
  const id = serial * SHARDS + shardOf(parentId);
  if (!Number.isSafeInteger(id))
    throw new RangeError(`sequence number ${serial} is too large for a sharded id`);
  return id;
}
