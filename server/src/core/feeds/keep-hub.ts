import { checkAddress } from '../../net/fetch/policy.ts';
import { type HubOffer, noteHub } from '../../storage/catalog/feeds/feed-hubs.ts';
import type { Queryable } from '../../storage/db/pool.ts';

/** Stores a feed's hub if its address is allowed (a third party chose it), else that there is none. */
export const keepHub = (db: Queryable, showId: number, offer: HubOffer | undefined): Promise<void> =>
  noteHub(db, showId, offer && mayBeAsked(offer) ? offer : undefined);

function mayBeAsked({ hub }: HubOffer): boolean {
  try {
    checkAddress(hub);
    return true;
  } catch {
    return false;
  }
}
