import { type DueHub, claimHubs, putOffHub, releaseHub } from '../catalog/feed-hubs.ts';
import type { Queryable } from '../db/pool.ts';
import type { DueJob } from '../jobs/due-job.ts';
import type { FetchOptions, Fetched } from '../lib/fetch-safely/fetch-safely.ts';
import { guideId } from '../lib/guide-id.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';
import { callbackOf, secretOf } from './callback.ts';

export interface HubNeeds {
  db: Queryable;
  fetcher: { fetch: (address: string, options: FetchOptions) => Promise<Pick<Fetched, 'status'>> };
  /** Of `callbackOrigin`. */
  origin: string;
}

const LEASE_SECONDS = 10 * 86_400;
const AT_ONCE = 10;
/** A hub's answer is a word or two. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** `taken`: the hub will call back. `refused`: it says no. `unsafe`: nothing there that we would ask. */
export type Asked = 'taken' | 'refused' | 'failed' | 'unsafe' | 'busy';

/** Asks hubs for news of feeds, and again before what they agreed to ends. */
export const hubJob = (needs: HubNeeds): DueJob<DueHub> => ({
  name: 'websub',
  atOnce: AT_ONCE,
  idOf: ({ show_id }) => guideId('p', show_id),
  claim: (most) => claimHubs(needs.db, most),
  work: (due, { cut }) => askHub(needs, due, cut),
});

/** What the claim wrote holds for every outcome but two: that it is asked again, ever later, until it agrees. */
export async function askHub(needs: HubNeeds, due: DueHub, signal?: AbortSignal): Promise<Asked> {
  try {
    const { status } = await needs.fetcher.fetch(due.hub, question(needs.origin, due, signal));
    return status >= 200 && status < 300 ? 'taken' : 'refused';
  } catch (error) {
    if (error instanceof UnsafeAddress) {
      await putOffHub(needs.db, due.show_id, due.key);
      return 'unsafe';
    }
    if (!(error instanceof NoSeat)) return 'failed';
    await releaseHub(needs.db, due);
    return 'busy';
  }
}

/**
 * The secret is sent over plain HTTP too where a hub has no other: who listens there could have us read a feed once a
 * minute and no more, and without one anybody could who has seen the callback.
 */
function question(origin: string, due: DueHub, signal: AbortSignal | undefined): FetchOptions {
  const form = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.topic': due.topic,
    'hub.callback': callbackOf(origin, due.show_id, due.key),
    'hub.secret': secretOf(due.key),
    'hub.lease_seconds': String(LEASE_SECONDS),
  });
  return {
    method: 'POST',
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    maxWireBytes: MOST_ANSWER_BYTES,
    maxBytes: MOST_ANSWER_BYTES,
    signal,
  };
}
