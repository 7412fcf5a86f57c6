import type { Pool } from 'pg';
import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';

/** The sizes, by letter, and file formats in which each picture is stored. */
export type PictureSize = 't' | 'q' | 'd' | 'g';
export type PictureKind = 'png' | 'jpg';

/** Pixels of each size. */
export const SIDES: Readonly<Record<PictureSize, number>> = { t: 75, q: 145, d: 300, g: 600 };

/** The picture that an item is shown with, if it has one. */
export const findPicture = statement(
  'picture-of-item',
  { digest: 'uuid', bytes: 'bytea' },
  `SELECT s.digest, s.bytes FROM image_checks c JOIN picture_sizes s ON s.digest = c.digest
   WHERE c.kind = $1 AND c.item_id = $2 AND s.size = $3 AND s.kind = $4`,
).first((item: { letter: string; number: number }, size: PictureSize, kind: PictureKind) => [
  item.letter,
  item.number,
  size,
  kind,
]);

/** Whether pictures of this content exist already. */
export const isPictureKnown = statement(
  'picture-known',
  { digest: 'uuid' },
  'SELECT digest FROM pictures WHERE digest = $1',
).exists((digest: string) => [digest]);

/** A picture in one size and one file format. */
export interface SizedPicture {
  size: PictureSize;
  kind: PictureKind;
  bytes: Buffer;
}

export interface NewPicture {
  digest: string;
  /** Of the original. */
  width: number;
  height: number;
  files: readonly SizedPicture[];
}

/** Stores a picture; an existing one is left as it is. */
export const addPicture = statement(
  'picture-add',
  {},
  `WITH added AS (
     INSERT INTO pictures (digest, width, height) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING digest
   )
   INSERT INTO picture_sizes (digest, size, kind, bytes)
   SELECT a.digest, f.size, f.kind, f.bytes FROM added a, unnest($4::text[], $5::text[], $6::bytea[]) AS f (size, kind, bytes)`,
).command(({ digest, width, height, files }: NewPicture) => [
  digest,
  width,
  height,
  files.map(({ size }) => size),
  files.map(({ kind }) => kind),
  files.map(({ bytes }) => bytes),
]);

const after = statement(
  'pictures-after',
  { digest: 'uuid' },
  'SELECT digest FROM pictures WHERE digest > $1 ORDER BY digest LIMIT $2',
);

const UNUSED = `p.digest = ANY ($1::uuid[]) AND p.made_at < now() - interval '1 day'
     AND NOT EXISTS (SELECT FROM image_checks c WHERE c.digest = p.digest)`;

const hold = statement(
  'pictures-hold',
  { digest: 'uuid' },
  `SELECT p.digest FROM pictures p WHERE ${UNUSED} FOR UPDATE SKIP LOCKED`,
);

const remove = statement(
  'pictures-forget',
  { digest: 'uuid' },
  `DELETE FROM pictures p WHERE ${UNUSED} RETURNING p.digest`,
);

const [FIRST, BATCH] = ['00000000-0000-0000-0000-000000000000', 500];

/** Deletes the pictures that no item uses any more, in batches; returns how many. */
export async function purgeUnusedPictures(pool: Pool, signal: AbortSignal): Promise<number> {
  let forgotten = 0;
  for (let last: string | undefined = FIRST; last !== undefined && !signal.aborted;) {
    const digests: string[] = (await after.run(pool, [last, BATCH])).map(({ digest }) => digest);
    forgotten += await transaction(pool, (client) => purgeUnused(client, digests));
    last = digests.at(-1);
  }
  return forgotten;
}

/** Skips pictures that an item is about to use. Once locked they cannot be used; the delete checks again. */
async function purgeUnused(client: Queryable, digests: readonly string[]): Promise<number> {
  const locked = await hold.run(client, [digests]);
  if (locked.length === 0) return 0;
  return (await remove.run(client, [locked.map(({ digest }) => digest)])).length;
}
