import type { Validators } from '../../../lib/answer-headers.ts';
import { type Claim, claimParams } from '../claim-due.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  kind: 'text',
  item_id: 'int8',
  host: 'text',
  address: 'text',
  etag: 'text?',
  last_modified: 'text?',
  failures: 'int2',
  digest: 'uuid?',
} as const;

/** A picture that is due, with what is needed to request it. */
export type DueImage = RowOf<typeof COLUMNS>;

/** Rows considered per claim, so that one host's thousands do not block all others. */
const WINDOW = 100;

/**
 * Due pictures, the longest due first; no other worker gets them until the lease ends. As with feeds, the claim is
 * the due time itself, moved to the end of the lease, and rows whose host has no room are put off, longer each time.
 * The window is a literal in the text: with a parameter PostgreSQL plans for a tenth of the table.
 */
export const claimImages = statement(
  'images-claim',
  COLUMNS,
  `WITH due AS (
     SELECT kind, item_id, host, next_due_at FROM image_checks WHERE next_due_at <= now()
     ORDER BY next_due_at LIMIT ${WINDOW} FOR UPDATE SKIP LOCKED
   ), turned AS (
     SELECT d.kind, d.item_id, d.next_due_at, row_number() OVER (PARTITION BY d.host ORDER BY d.next_due_at)
       + coalesce(b.busy, 0) AS turn
     FROM due d LEFT JOIN unnest($3::text[], $4::integer[]) AS b (host, busy) ON b.host = d.host
   ), placed AS (
     SELECT kind, item_id, turn, row_number() OVER (ORDER BY turn > $5::integer, next_due_at) AS place FROM turned
   ), moved AS (
     UPDATE image_checks c SET next_due_at = now() + make_interval(secs => CASE WHEN p.turn <= $5 THEN $2
         ELSE least(0.1 * (p.turn - $5) * 2 ^ c.put_off, 600) END),
       put_off = CASE WHEN p.turn <= $5 THEN c.put_off ELSE least(c.put_off + 1, 12) END
     FROM placed p WHERE p.kind = c.kind AND p.item_id = c.item_id AND (p.turn > $5 OR p.place <= $1)
     RETURNING c.*, p.turn
   )
   SELECT m.kind, m.item_id, m.host, i.address, m.etag, m.last_modified, m.failures, m.digest
   FROM moved m JOIN images i ON i.kind = m.kind AND i.item_id = m.item_id WHERE m.turn <= $5`,
).all((claim: Claim) => claimParams(claim, Infinity));

/** The result of checking a picture's address, and when it is due again. */
export interface ImageOutcome extends Validators {
  dueInSeconds: number;
  failures: number;
  /** The picture shown from now on. */
  digest?: string | undefined;
  trouble?: string | undefined;
}

/**
 * Written only if the item's address has not changed meanwhile. It is locked while it is compared: if it is being
 * changed, this waits and then sees the new one.
 */
export const finishImage = statement(
  'image-finish',
  {},
  `WITH asked AS MATERIALIZED (
     SELECT kind, item_id FROM images WHERE kind = $1 AND item_id = $2 AND address = $3 FOR SHARE
   )
   UPDATE image_checks c SET next_due_at = now() + make_interval(secs => $4), put_off = 0, checked_at = now(),
     failures = $5, etag = $6, last_modified = $7, digest = $8, trouble = $9
   FROM asked a WHERE c.kind = $1 AND c.item_id = $2 AND c.kind = a.kind AND c.item_id = a.item_id`,
).command(
  (
    { kind, item_id, address }: DueImage,
    { dueInSeconds, failures, etag, lastModified, digest, trouble }: ImageOutcome,
  ) => [kind, item_id, address, dueInSeconds, failures, etag, lastModified, digest, trouble],
);
