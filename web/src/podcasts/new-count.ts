import { useSyncExternalStore } from 'react';

/** How many episodes are new, for the menu of every page; what counts them is loaded when there are subscriptions. */
let count = 0;
const listeners = new Set<() => void>();

export function setNewCount(next: number): void {
  if (next === count) return;
  count = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNewCount = (): number => useSyncExternalStore(subscribe, () => count);
