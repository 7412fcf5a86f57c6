import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import styles from './Layout.module.css';
import { useWentBack } from '../went-back.ts';

/** The container of the pages. */
export function Main({ children }: { children: ReactNode }): ReactNode {
  return (
    <main ref={useFocusOnNewPage()} id="content" tabIndex={-1} className={styles['main']}>
      {children}
    </main>
  );
}

/** A new page starts at its top, for screen readers too; going back restores the position. */
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
    // Typing in the search field leads to the search page, and must not lose the focus.
    if (document.activeElement instanceof HTMLInputElement) return;
    main.current?.focus({ preventScroll: true });
    if (!wasBack) scrollTo({ top: 0 });
  }, [address, isBack]);
  return main;
}
