import { createHmac, timingSafeEqual } from 'node:crypto';
import { Counter } from 'prom-client';
import { CALLBACK_PATH, isTokenOf, secretOf } from '../../core/feeds/callback.ts';
import type { Metrics } from '../../net/http/metrics.ts';
import type { PlainAnswer, PlainCall, PlainEndpoint } from '../../net/http/endpoints/plain-endpoint.ts';
import {
  confirmSubscription,
  findSubscription,
  putOffHub,
  type Subscription,
  wantFeed,
} from '../../storage/catalog/feeds/feed-hubs.ts';
import type { Queryable } from '../../storage/db/pool.ts';

export interface WebsubDeps {
  db: Queryable;
  metrics: Metrics;
}

type Outcome = HubVerification | Delivered | 'unknown';

/** A 410 makes the hub stop calling. */
const GONE: PlainAnswer = { status: 410, text: 'This subscription no longer exists.\n' };

/** The callback for hubs: verifies subscriptions and receives notifications. */
export function websub({ db, metrics }: WebsubDeps): PlainEndpoint {
  const calls = new Counter({
    name: 'websub_calls_total',
    help: 'Calls from hubs by outcome',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  return {
    path: CALLBACK_PATH,
    async answer(call) {
      const { outcome, ...answer } = await answerHub(db, call);
      calls.inc({ outcome });
      return answer;
    },
  };
}

async function answerHub(db: Queryable, call: PlainCall): Promise<PlainAnswer & { outcome: Outcome }> {
  const isDelivery = call.method === 'POST';
  const showId = parseShowId(call.path['show']);
  const subscription = showId === undefined ? undefined : await findSubscription(db, showId);
  if (showId === undefined || !subscription || !isTokenOf(subscription.key, call.path['token'] ?? ''))
    return { ...(isDelivery ? GONE : NOT_FOUND), outcome: 'unknown' };
  if (isDelivery) return deliver(db, showId, subscription, call);
  if (call.method === 'GET') return verify(db, showId, subscription, call);
  return { ...NOT_FOUND, outcome: 'refused' };
}

const parseShowId = (text = ''): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

type HubVerification = 'confirmed' | 'denied' | 'refused';

/** A slower verification cannot belong to our latest request. */
const ASKED_WITHIN_SECONDS = 86_400;
/** For old hubs that send no lease. */
const UNSAID_LEASE_SECONDS = 86_400;
/** Whatever lease the hub grants, we renew monthly to see whether it still knows us. */
const MAX_LEASE_SECONDS = 30 * 86_400;

const NOT_FOUND: PlainAnswer = {
  status: 404,
  text: 'We did not request this subscription; do not confirm it.\n',
};

/** The hub verifies a subscription, or reports that it denied one. */
async function verify(
  db: Queryable,
  showId: number,
  { topic, key, asked_at }: Subscription,
  { query, now }: PlainCall,
): Promise<PlainAnswer & { outcome: HubVerification }> {
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
  return Math.min(seconds, MAX_LEASE_SECONDS);
}

/** The signature methods of the Recommendation; most hubs still use the first. */
const SIGNATURE = /^\s*(sha1|sha256|sha384|sha512)=([0-9a-f]{40,128})\s*$/i;

export interface Signature {
  method: string;
  digest: Buffer;
}

/** Parses an `X-Hub-Signature` header. */
export function parseSignature(header: string | string[] | undefined): Signature | undefined {
  const [, method, hex] = SIGNATURE.exec(String(header ?? '')) ?? [];
  return method !== undefined && hex !== undefined
    ? { method: method.toLowerCase(), digest: Buffer.from(hex, 'hex') }
    : undefined;
}

/**
 * Whether the body was signed with the secret; undefined when it is too large. The body is hashed as it arrives and
 * never buffered.
 */
async function isSigned(
  body: AsyncIterable<Buffer>,
  { method, digest }: Signature,
  secret: string,
  mostBytes: number,
): Promise<boolean | undefined> {
  const hmac = createHmac(method, secret);
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    hmac.update(chunk);
  }
  const expected = hmac.digest();
  return expected.length === digest.length && timingSafeEqual(expected, digest);
}

type Delivered = 'heard' | 'repeated' | 'unsigned' | 'forged' | 'too-large';

/** The same limit as for fetched feeds; the body is hashed as it arrives and not stored. */
export const MAX_PUSH_BYTES = 8 * 2 ** 20;

const TOO_LARGE: PlainAnswer = { status: 413, text: `The content is larger than ${MAX_PUSH_BYTES} bytes.\n` };
/** The same for everyone, so that guessing signatures reveals nothing. */
const RECEIVED: PlainAnswer = { status: 202, text: 'Received.\n' };

/**
 * A hub reports that a feed has changed. Its content is not trusted: a valid signature only makes us fetch the feed
 * from its usual address. The `Link` headers are ignored, as the Recommendation demands.
 */
async function deliver(
  db: Queryable,
  showId: number,
  { key }: Subscription,
  { headers, body }: PlainCall,
): Promise<PlainAnswer & { outcome: Delivered }> {
  const signature = parseSignature(headers['x-hub-signature']);
  if (!signature) return { ...RECEIVED, outcome: 'unsigned' };
  if (Number(headers['content-length'] ?? 0) > MAX_PUSH_BYTES) return { ...TOO_LARGE, outcome: 'too-large' };
  const signed = await isSigned(body(), signature, secretOf(key), MAX_PUSH_BYTES);
  if (signed === undefined) return { ...TOO_LARGE, outcome: 'too-large' };
  if (!signed) return { ...RECEIVED, outcome: 'forged' };
  return { ...RECEIVED, outcome: (await wantFeed(db, showId)) ? 'heard' : 'repeated' };
}
