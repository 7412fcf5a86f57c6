import { type Subscription, wantFeed } from '../catalog/pushes.ts';
import type { Queryable } from '../db/pool.ts';
import type { PlainAnswer, PlainCall } from '../http/plain-endpoint.ts';
import { secretOf } from './callback.ts';
import { isSigned, parseSignature } from './signature.ts';

export type Delivered = 'heard' | 'repeated' | 'unsigned' | 'forged' | 'too-large';

/** As large a feed as is fetched; it is hashed as it comes and kept nowhere. */
export const MOST_BYTES = 8 * 2 ** 20;

const TOO_LARGE: PlainAnswer = { status: 413, text: `The content is larger than ${MOST_BYTES} bytes.\n` };
/** The same to everyone: who tries signatures learns nothing. */
const RECEIVED: PlainAnswer = { status: 202, text: 'Received.\n' };

/**
 * A hub tells that a feed has changed. Its words are never believed: signed with our secret, they have the feed read
 * where it always is. The `Link` headers are not looked at, as the Recommendation demands.
 */
export async function deliver(
  db: Queryable,
  showId: number,
  { key }: Subscription,
  { headers, body }: PlainCall,
): Promise<PlainAnswer & { outcome: Delivered }> {
  const signature = parseSignature(headers['x-hub-signature']);
  if (!signature) return { ...RECEIVED, outcome: 'unsigned' };
  if (Number(headers['content-length'] ?? 0) > MOST_BYTES) return { ...TOO_LARGE, outcome: 'too-large' };
  const signed = await isSigned(body(), signature, secretOf(key), MOST_BYTES);
  if (signed === undefined) return { ...TOO_LARGE, outcome: 'too-large' };
  if (!signed) return { ...RECEIVED, outcome: 'forged' };
  return { ...RECEIVED, outcome: (await wantFeed(db, showId)) ? 'heard' : 'repeated' };
}
