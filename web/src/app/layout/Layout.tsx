import { type ReactNode, Suspense, useEffect } from 'react';
import { useHasAlarm } from '../../player/alarm/has-alarm.ts';
import { PlayerBar } from '../../player/view/PlayerBar.tsx';
import { PodcastNews } from '../../podcasts/PodcastNews.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import styles from './Layout.module.css';
import { MergedNote } from './MergedNote.tsx';
import { OfflineNote } from './OfflineNote.tsx';
import { onReturn } from '../on-return.ts';
import { part } from '../part.ts';
import { PhoneTabs } from './PhoneTabs.tsx';

const { Part: AlarmNote } = part(() => import('../../player/alarm/AlarmNote.tsx'));

export function Layout({ children }: { children: ReactNode }): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles['layout']}>
      <a className={styles['skip']} href="#content">
        {t('shell.skip')}
      </a>
      <Header />
      <OfflineNote />
      <MergedNote />
      <PodcastNews />
      {children}
      <Footer />
      <div className={styles['foot']}>
        {useHasAlarm() && (
          <ErrorBoundary address="" broken={(_error, again) => <WhenBack again={again} />}>
            <Suspense fallback={null}>
              <AlarmNote />
            </Suspense>
          </ErrorBoundary>
        )}
        <PlayerBar />
        <PhoneTabs />
      </div>
    </div>
  );
}

function WhenBack({ again }: { again: () => void }): ReactNode {
  useEffect(() => onReturn(again), [again]);
  return null;
}
