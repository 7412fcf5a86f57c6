import { callbackOf, secretOf } from '../../core/feeds/callback.ts';
import { guideId } from '../../lib/guide-id.ts';
import { UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { Fetched, FetchOptions } from '../../net/fetch/fetch-safely.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import { claimHubs, type DueHub, putOffHub, releaseHub } from '../../storage/catalog/feeds/feed-hubs.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { DueJob } from '../runner/due-job.ts';

interface HubDeps {
  db: Queryable;
  fetcher: { fetch: (address: string, options: FetchOptions) => Promise<Pick<Fetched, 'status'>> };
  /** From `callbackOrigin`. */
  origin: string;
}

const LEASE_SECONDS = 10 * 86_400;
const CONCURRENCY = 10;
/** A hub answers with a few words. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** `taken`: the hub will call back. `refused`: it says no. `unsafe`: the address is one that we do not connect to. */
export type HubAnswer = 'taken' | 'refused' | 'failed' | 'unsafe' | 'busy';

/** Subscribes to feeds at their hubs, and renews before a subscription ends. */
export const hubJob = (deps: HubDeps): DueJob<DueHub> => ({
  name: 'websub',
  concurrency: CONCURRENCY,
  idOf: ({ show_id }) => guideId('p', show_id),
  claim: (most) => claimHubs(deps.db, most),
  work: (due, { cut }) => askHub(deps, due, cut),
});

/** For all outcomes but two, what the claim wrote stands: try again at growing intervals until the hub agrees. */
export async function askHub(deps: HubDeps, due: DueHub, signal?: AbortSignal): Promise<HubAnswer> {
  try {
    const { status } = await deps.fetcher.fetch(due.hub, subscriptionRequest(deps.origin, due, signal));
    return status >= 200 && status < 300 ? 'taken' : 'refused';
  } catch (error) {
    if (error instanceof UnsafeAddress) {
      await putOffHub(deps.db, due.show_id, due.key);
      return 'unsafe';
    }
    if (!(error instanceof HostBusy)) return 'failed';
    await releaseHub(deps.db, due);
    return 'busy';
  }
}

/**
 * Where a hub has only plain HTTP, the secret is sent over it too: an eavesdropper could make us read a feed once a
 * minute and no more, whereas without a secret anyone who has seen the callback could.
 */
function subscriptionRequest(origin: string, due: DueHub, signal: AbortSignal | undefined): FetchOptions {
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
    maxWireBytes: MAX_ANSWER_BYTES,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  };
}
