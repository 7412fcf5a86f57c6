/** Calls back when the network may be back or the page becomes visible again: after sleep, a tab change, or "back". */
export function onReturn(then: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const seen = (): void => {
    if (document.visibilityState === 'visible') then();
  };
  const shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) then();
  };
  addEventListener('online', then, { signal });
  addEventListener('pageshow', shown, { signal });
  document.addEventListener('visibilitychange', seen, { signal });
  return () => ending.abort();
}
