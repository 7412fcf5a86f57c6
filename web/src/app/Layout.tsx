import { type ReactNode, Suspense, lazy } from 'react';
import { useHasAlarm } from '../player/alarm/has-alarm.ts';
import { PlayerBar } from '../player/PlayerBar.tsx';
import { PodcastNews } from '../podcasts/PodcastNews.tsx';
import { useWords } from '../i18n/use-words.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import styles from './Layout.module.css';
import { MergedNote } from './MergedNote.tsx';
import { OfflineNote } from './OfflineNote.tsx';
import { PhoneTabs } from './PhoneTabs.tsx';

const AlarmNote = lazy(() => import('../player/alarm/AlarmNote.tsx'));

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
          <Suspense fallback={null}>
            <AlarmNote />
          </Suspense>
        )}
        <PlayerBar />
        <PhoneTabs />
      </div>
    </div>
  );
}
