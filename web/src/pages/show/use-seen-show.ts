import { useMemo } from 'react';
import type { Item } from '../../items/item.ts';
import { isPlayed } from '../../podcasts/played.ts';
import { useMarkSeen } from '../../podcasts/use-mark-seen.ts';
import { newSince } from '../../saved/podcast-lists.ts';
import { useSaved } from '../../saved/saved.ts';

/** Which episodes on the page of a show are new to who subscribes to it; who looks at the page has seen them. */
export function useSeenShow(
  showId: string,
  items: readonly Item[],
): (guideId: string | undefined) => boolean {
  const { shows, finished } = useSaved();
  const fresh = useMemo(() => {
    const episodes = items.flatMap(({ guideId }) => (guideId === undefined ? [] : [{ guideId, showId }]));
    return newSince(episodes, shows, (guideId) => isPlayed(finished, guideId));
  }, [items, showId, shows, finished]);
  return useMarkSeen(fresh);
}
