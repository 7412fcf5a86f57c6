import { putOffHub } from '../catalog/feed-hubs.ts';
import { type Subscription, confirmSubscription } from '../catalog/pushes.ts';
import type { Queryable } from '../db/pool.ts';
import type { PlainAnswer, PlainCall } from '../http/plain-endpoint.ts';

export type Verified = 'confirmed' | 'denied' | 'refused';

/** A hub that takes longer to come back was not asked by us just now. */
const ASKED_WITHIN_SECONDS = 86_400;
/** Some old hubs do not say how long. */
const UNSAID_LEASE_SECONDS = 86_400;
/** However long it promises, it is asked once a month whether it still knows us. */
const LONGEST_LEASE_SECONDS = 30 * 86_400;

export const NOT_FOUND: PlainAnswer = {
  status: 404,
  text: 'No such subscription is wanted here; do not confirm it.\n',
};

/** A hub asks whether we asked, or tells that it will not. */
export async function verify(
  db: Queryable,
  showId: number,
  { topic, key, asked_at }: Subscription,
  { query, now }: PlainCall,
): Promise<PlainAnswer & { outcome: Verified }> {
  const mode = query.get('hub.mode');
  const challenge = query.get('hub.challenge');
  const isOurs = query.get('hub.topic') === topic && asked_at !== null;
  if (isOurs && mode === 'denied') {
    await putOffHub(db, showId, key);
    return { status: 200, text: 'Understood.\n', outcome: 'denied' };
  }
  if (!isOurs || mode !== 'subscribe' || !challenge || !wasLately(asked_at, now))
    return { ...NOT_FOUND, outcome: 'refused' };
  await confirmSubscription(db, showId, key, leaseSeconds(query.get('hub.lease_seconds')));
  return { status: 200, text: challenge, outcome: 'confirmed' };
}

const wasLately = (asked: Temporal.Instant, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - asked.epochMilliseconds < ASKED_WITHIN_SECONDS * 1000;

function leaseSeconds(text: string | null): number {
  const seconds = /^\d{1,12}$/.test(text ?? '') ? Number(text) : UNSAID_LEASE_SECONDS;
  return Math.min(seconds, LONGEST_LEASE_SECONDS);
}
