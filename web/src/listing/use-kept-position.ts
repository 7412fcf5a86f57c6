import { useLayoutEffect } from 'react';

/** Who comes back by the history waits no longer than this for the list. */
const SOON_MS = 3000;
const MAX_KEPT = 50;

let wentBackAt = -Infinity;
addEventListener('popstate', () => {
  wentBackAt = performance.now();
});

const positions = new Map<string, number>();

/**
 * Where a list was left, for who goes back to it. The browser restores the position before the list is there again, and
 * so ends at the end of a page that is still short.
 */
export function useKeptPosition(key: string): void {
  useLayoutEffect(() => {
    const top = positions.get(key);
    if (top !== undefined && performance.now() - wentBackAt < SOON_MS) scrollTo({ top });
    return () => {
      positions.delete(key);
      positions.set(key, scrollY);
      const [oldest] = positions.keys();
      if (positions.size > MAX_KEPT && oldest !== undefined) positions.delete(oldest);
    };
  }, [key]);
}
