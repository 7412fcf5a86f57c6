import { type ReactNode, Suspense, lazy, useMemo } from 'react';
import { useSubscriptions } from './use-subscriptions.ts';

/** Without a network it may not come; then nothing is counted, and the page is as it was. */
const FollowNews = lazy(() => import('./FollowNews.tsx').catch(() => ({ default: () => undefined })));

/** Nothing, for who subscribes to nothing. */
export function PodcastNews(): ReactNode {
  const subscriptions = useSubscriptions();
  const showIds = useMemo(() => subscriptions?.map(({ guideId }) => guideId) ?? [], [subscriptions]);
  if (showIds.length === 0) return null;
  return (
    <Suspense>
      <FollowNews showIds={showIds} />
    </Suspense>
  );
}
