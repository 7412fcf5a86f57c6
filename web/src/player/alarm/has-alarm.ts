import { useSyncExternalStore } from 'react';
import { kept } from '../../app/kept.ts';

const listeners = new Set<() => void>();
let isWanted = kept('alarm') !== null;

/** The clock itself is loaded with the first alarm, or when one was set before the page was loaded. */
export function wantAlarm(): void {
  isWanted = true;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useHasAlarm = (): boolean => useSyncExternalStore(subscribe, () => isWanted);
