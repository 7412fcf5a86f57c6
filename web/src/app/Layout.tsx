import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { PlayerBar } from '../player/PlayerBar.tsx';
import { useWords } from '../words/use-words.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import styles from './Layout.module.css';
import { OfflineNote } from './OfflineNote.tsx';
import { PhoneTabs } from './PhoneTabs.tsx';

export function Layout({ children }: { children: ReactNode }): ReactNode {
  const { t } = useWords();
  const main = useFocusOnNewPage();
  return (
    <div className={styles['layout']}>
      <a className={styles['skip']} href="#content">
        {t('shell.skip')}
      </a>
      <Header />
      <OfflineNote />
      <main ref={main} id="content" tabIndex={-1} className={styles['main']}>
        {children}
      </main>
      <Footer />
      <div className={styles['foot']}>
        <PlayerBar />
        <PhoneTabs />
      </div>
    </div>
  );
}

/** A new page begins at its top, also for those who hear it; one that is gone back to, where it was left. */
function useFocusOnNewPage(): RefObject<HTMLElement | null> {
  const [address] = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(address);
  const isBack = useWentBack();
  useEffect(() => {
    if (last.current === address) return;
    last.current = address;
    const wasBack = isBack.current;
    isBack.current = false;
    // Typing in the search leads to its page; the field keeps the focus then.
    if (document.activeElement instanceof HTMLInputElement) return;
    main.current?.focus({ preventScroll: true });
    if (!wasBack) scrollTo({ top: 0 });
  }, [address, isBack]);
  return main;
}

/** Whether the last step was through the history, where the browser knows the place. */
function useWentBack(): RefObject<boolean> {
  const isBack = useRef(false);
  useEffect(() => {
    const step = (): void => {
      isBack.current = true;
    };
    addEventListener('popstate', step);
    return () => removeEventListener('popstate', step);
  }, []);
  return isBack;
}
