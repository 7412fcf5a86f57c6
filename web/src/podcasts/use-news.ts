import { useMemo, useSyncExternalStore } from 'react';
import { newSince } from '../saved/podcast-lists.ts';
import { useSaved } from '../saved/saved.ts';
import { type Episode, news } from './news.ts';
import { isPlayed } from './played.ts';

interface News {
  episodes: readonly Episode[] | undefined;
  error: unknown;
  /** Those that came since the listener last looked. */
  fresh: readonly Episode[];
}

export function useNews(): News {
  const { episodes, error } = useSyncExternalStore(news.subscribe, () => news.state);
  const { shows, finished } = useSaved();
  const fresh = useMemo(
    () => newSince(episodes ?? [], shows, (guideId) => isPlayed(finished, guideId)),
    [episodes, shows, finished],
  );
  return { episodes, error, fresh };
}
