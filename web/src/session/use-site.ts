import { useCallback, useEffect, useState } from 'react';

export interface SiteAnswer<T> {
  value: T | undefined;
  error: unknown;
  isWaiting: boolean;
  /** Requests it again; the known value stays until then. */
  again: () => void;
  /** Shows a known change before the server is asked again. */
  set: (change: (value: T) => T) => void;
}

type Known<T> = { key: string; value: T } | { key: string; error: unknown };

/**
 * Answers of the site's own API. Not cached beyond the page: they are personal, and another listener may sign in.
 * Without a key there is no request, and an answer to another key is never shown.
 */
export function useSite<T>(key: string | undefined, ask: (signal: AbortSignal) => Promise<T>): SiteAnswer<T> {
  const [known, setKnown] = useState<Known<T>>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === undefined) return undefined;
    const ending = new AbortController();
    const settle = (next: Known<T>): void => {
      if (!ending.signal.aborted) setKnown(next);
    };
    ask(ending.signal).then(
      (value) => settle({ key, value }),
      (error: unknown) => settle({ key, error }),
    );
    return () => ending.abort();
    // `ask` is new in each render, but means the same request as long as the key is the same.
  }, [key, attempt]);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  const set = useCallback(
    (change: (value: T) => T) =>
      setKnown((last) => (last && 'value' in last ? { ...last, value: change(last.value) } : last)),
    [],
  );
  const current = known?.key === key ? known : undefined;
  return {
    value: current && 'value' in current ? current.value : undefined,
    error: current && 'error' in current ? current.error : undefined,
    isWaiting: key !== undefined && current === undefined,
    again,
    set,
  };
}
