import type { PoolClient } from 'pg';
import { cleanFeedAddress } from '../../cleaning/clean-address.ts';
import { uuidOf } from '../../../lib/ids.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';

/** Of an account. Ended ones are kept for phones that have yet to be told; the latest of them. */
export const MAX_SUBSCRIPTIONS = 1000;
const MAX_ENDED = 1000;
const MAX_ADDRESS_LENGTH = 2048;

const COLUMNS = {
  feed_key: 'uuid',
  address: 'text',
  show_id: 'int8?',
  is_removed: 'bool',
  serial: 'int8',
} as const;

export type SubscriptionRow = RowOf<typeof COLUMNS>;

/** All of an account's, ended ones too, in the order of their last changes. */
export const listSubscriptionRows = statement(
  'subscriptions-of-account',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM feed_subscriptions WHERE account_id = $1
   ORDER BY serial LIMIT ${MAX_SUBSCRIPTIONS + MAX_ENDED}`,
).all((accountId: number) => [accountId]);

const write = statement(
  'subscriptions-write',
  {},
  `INSERT INTO feed_subscriptions (account_id, feed_key, address, show_id, is_removed, serial)
   SELECT $1, * FROM jsonb_to_recordset($2::jsonb)
     AS u (feed_key uuid, address text, show_id bigint, is_removed boolean, serial bigint)
   ON CONFLICT (account_id, feed_key) DO UPDATE SET address = excluded.address, show_id = excluded.show_id,
     is_removed = excluded.is_removed, serial = excluded.serial`,
);
const trim = statement(
  'subscriptions-trim',
  {},
  `DELETE FROM feed_subscriptions WHERE account_id = $1 AND is_removed AND serial <=
     (SELECT serial FROM feed_subscriptions WHERE account_id = $1 AND is_removed
      ORDER BY serial DESC OFFSET ${MAX_ENDED} LIMIT 1)`,
);

/** Changed rows, with their new serials. The account is locked. */
export async function writeSubscriptions(
  client: PoolClient,
  accountId: number,
  rows: readonly SubscriptionRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await write.run(client, [accountId, JSON.stringify(rows)]);
  if (rows.some((row) => row.is_removed)) await trim.run(client, [accountId]);
}

/**
 * Numbers for the changes of an account, which apps call timestamps: above all that were given, and never below the
 * clock, so that a database that was restored from a backup gives none twice.
 */
export function* serialsAfter(last: number, now: Temporal.Instant): Generator<number, never> {
  for (let serial = Math.max(last + 1, Math.floor(now.epochMilliseconds / 1000)); ; serial += 1) yield serial;
}

/** What a feed is known by: the same for every spelling of its address. */
export interface FeedAddress {
  address: string;
  key: string;
}

/** Undefined for what is no address of the web, and for one that holds a password, which is not ours to keep. */
export function parseFeedAddress(text: string): FeedAddress | undefined {
  const address = text.trim();
  const url = URL.parse(address);
  // PostgreSQL keeps no halves of characters.
  const isWeb = (url?.protocol === 'http:' || url?.protocol === 'https:') && address.isWellFormed();
  if (!isWeb || /[\s\p{Cc}]/u.test(address) || address.length > MAX_ADDRESS_LENGTH) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const cleaned = cleanFeedAddress(address);
  // In a private network, say. The directory lists no such feed; its owner's phone may read it all the same.
  return { address, key: 'key' in cleaned ? cleaned.key : uuidOf(`unlisted ${url.href}`) };
}
