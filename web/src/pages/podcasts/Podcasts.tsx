import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { Empty } from '../../design/Empty.tsx';
import { SlowList } from '../../items/lists/SlowList.tsx';
import { useNews } from '../../podcasts/use-news.ts';
import { useSubscriptions } from '../../podcasts/use-subscriptions.ts';
import { news } from '../../podcasts/news.ts';
import { useFolders } from '../../saved/use-folders.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { AlsoThere } from './AlsoThere.tsx';
import { Latest } from './Latest.tsx';
import styles from './Podcasts.module.css';
import { Queue } from './Queue.tsx';
import { Subscriptions } from './Subscriptions.tsx';

/** What somebody subscribes to, what is new of it, and what is played next. */
export default function Podcasts(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.podcasts'));
  const { account } = useSession();
  const subscriptions = useSubscriptions();
  const { episodes, error, fresh } = useNews();
  const showIds = useMemo(() => subscriptions?.map(({ guideId }) => guideId), [subscriptions]);
  // Whoever opens this page wants to know what is there now, however fresh the last answer is.
  useEffect(() => {
    if (showIds && showIds.length > 0) news.look(showIds);
  }, [showIds]);
  return (
    <div className={styles['page']}>
      <h1>{t('shell.podcasts')}</h1>
      {account && <Refreshed username={account.username} />}
      <Queue />
      {subscriptions === undefined && <SlowList rows={6} />}
      {subscriptions?.length === 0 && (
        <Empty title={t('podcasts.emptyTitle')}>
          <p>{t('podcasts.emptyText')}</p>
          <p>
            <Link href="/browse?c=podcast">{t('podcasts.find')}</Link>
          </p>
        </Empty>
      )}
      {subscriptions && subscriptions.length > 0 && (
        <>
          <Latest episodes={episodes} error={error} fresh={fresh} />
          <Subscriptions shows={subscriptions} />
        </>
      )}
      <AlsoThere />
    </div>
  );
}

/** Asks for the account's presets again: a phone or a radio may have changed them since this page was opened. */
function Refreshed({ username }: { username: string }): undefined {
  useFolders(username);
}
