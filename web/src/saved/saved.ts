import { useSyncExternalStore } from 'react';
import { BrowserStore, type SavedState } from './browser-store.ts';

/** What this browser saves for its listener: presets without an account, what was played, and liked songs. */
export const saved = new BrowserStore();

export const useSaved = (): SavedState => useSyncExternalStore(saved.subscribe, () => saved.state);
