import { useSyncExternalStore } from 'react';
import { forget, keep, kept } from './kept.ts';

/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const theme = kept('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    forget('theme');
    delete document.documentElement.dataset['theme'];
  } else {
    keep('theme', theme);
    document.documentElement.dataset['theme'] = theme;
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme);
