const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Does that when the signal comes; gives what takes it back. As a listener of the signal would, of which there is one for
 * all here: a signal goes through all listeners it has whenever one comes or goes, and a worker's has hundreds.
 */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const acts = watched.get(signal) ?? watchedFrom(signal);
  acts.add(act);
  return () => void acts.delete(act);
}

function watchedFrom(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  watched.set(signal, acts);
  signal.addEventListener('abort', () => acts.forEach((act) => act()), { once: true });
  return acts;
}
