import type { DueFeed } from '../catalog/due-feeds.ts';
import { type AskedFeed, type FeedReaders, askFeed } from './ask-feed.ts';

export type FoundFeed = AskedFeed & {
  /** Where the feed is from now on, if that is another address. */
  movedTo: string | undefined;
  /** It says that it has moved, and nothing could be read there yet. Who asked for news alone would not hear it again. */
  isLeaving: boolean;
};

/** The feed as it is now, where it is now. A feed may say that it has moved; it has when there is a feed. */
export async function findFeed(readers: FeedReaders, due: DueFeed, signal: AbortSignal): Promise<FoundFeed> {
  const asked = await askFeed(readers, due.address, due, signal);
  const here = { ...asked, movedTo: asked.fetched.movedTo, isLeaving: false };
  const { newAddress } = asked.parsed ?? {};
  if (newAddress === undefined || newAddress === due.address || newAddress === asked.fetched.address)
    return here;
  try {
    const unknown = { etag: null, last_modified: null, digest: due.digest };
    return {
      ...(await askFeed(readers, newAddress, unknown, signal)),
      movedTo: newAddress,
      isLeaving: false,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...here, isLeaving: true };
  }
}
