import { Counter } from 'prom-client';
import { findSubscription } from '../catalog/pushes.ts';
import type { Queryable } from '../db/pool.ts';
import type { Metrics } from '../http/metrics.ts';
import type { PlainAnswer, PlainCall, PlainEndpoint } from '../http/plain-endpoint.ts';
import { CALLBACK_PATH, isTokenOf } from './callback.ts';
import { type Delivered, deliver } from './deliver.ts';
import { NOT_FOUND, type Verified, verify } from './verify.ts';

export interface WebsubNeeds {
  db: Queryable;
  metrics: Metrics;
}

type Outcome = Verified | Delivered | 'unknown';

/** A hub that is told so stops calling. */
const GONE: PlainAnswer = { status: 410, text: 'There is no such subscription any more.\n' };

/** Where hubs call: to ask whether a subscription was meant, and to tell that a feed has changed. */
export function websub({ db, metrics }: WebsubNeeds): PlainEndpoint {
  const calls = new Counter({
    name: 'websub_calls_total',
    help: 'Calls of hubs, by what came of them',
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
