import { type RefObject, useEffect, useRef } from 'react';

/** Whether the last navigation was through the history, where the browser restores the position. */
export function useWentBack(): RefObject<boolean> {
  const isBack = useRef(false);
  useEffect(() => {
    const step = ({ type }: Event): void => {
      isBack.current = type === 'popstate';
    };
    addEventListener('popstate', step);
    // Wouter tells of its own navigations so, before anything is drawn.
    addEventListener('pushState', step);
    return () => {
      removeEventListener('popstate', step);
      removeEventListener('pushState', step);
    };
  }, []);
  return isBack;
}
