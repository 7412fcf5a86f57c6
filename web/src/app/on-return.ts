/** Calls back when there may be a network again, or somebody looks at the page again: after sleep, in another tab, by "back". */
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
