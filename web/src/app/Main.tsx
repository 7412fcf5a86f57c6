import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import styles from './Layout.module.css';

/** Where the pages stand. */
export function Main({ children }: { children: ReactNode }): ReactNode {
  return (
    <main ref={useFocusOnNewPage()} id="content" tabIndex={-1} className={styles['main']}>
      {children}
    </main>
  );
}

/** A new page begins at its top, also for those who hear it; one that is gone back to, where it was left. */
function useFocusOnNewPage(): RefObject<HTMLElement | null> {
  const [address] = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(address);
  const isBack = useWentBack();
  useLayoutEffect(() => {
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
