import { hash } from 'node:crypto';

/**
 * Topics and folders are queried by their own id alone, so the low ten bits of the id are the parent's logical shard.
 * That routes a read to the right PostgreSQL, whether there is one or a thousand.
 */
const SHARD_BITS = 10;
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

/** A text as a 128-bit UUID, which PostgreSQL stores in 16 bytes: equal texts, equal values. Not for secrets. */
export function uuidOf(text: string): string {
  const hex = hash('md5', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
