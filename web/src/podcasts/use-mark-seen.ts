import { useEffect, useState } from 'react';
import { type QueuedEpisode, withSeen } from '../saved/podcast-lists.ts';
import { saved } from '../saved/saved.ts';

type OfShow = Pick<QueuedEpisode, 'guideId' | 'showId'>;

/**
 * Marks new episodes as seen once the page that lists them is looked at, and tells which were new until it is left: the
 * listener came to see which they are.
 */
export function useMarkSeen(fresh: readonly OfShow[]): (guideId: string | undefined) => boolean {
  const [wereNew, setWereNew] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (fresh.length === 0) return undefined;
    const ending = new AbortController();
    const see = (): void => {
      if (document.visibilityState !== 'visible') return;
      ending.abort();
      setWereNew((known) => new Set([...known, ...fresh.map(({ guideId }) => guideId)]));
      const showIds = [...new Set(fresh.map(({ showId }) => showId))];
      void saved.change('shows', (shows) => withSeen(shows, fresh, showIds));
    };
    document.addEventListener('visibilitychange', see, { signal: ending.signal });
    see();
    return () => ending.abort();
  }, [fresh]);
  return (guideId) =>
    guideId !== undefined && (wereNew.has(guideId) || fresh.some((each) => each.guideId === guideId));
}
