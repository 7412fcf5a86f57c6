import { type RefObject, useEffect, useRef } from 'react';

/** Whether the last navigation was through the history, where the browser restores the position. */
export function useWentBack(): RefObject<boolean> {
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
