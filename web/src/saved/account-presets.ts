import type { Folder } from '../session/calls/preset-calls.ts';

/** The presets of the account that is signed in, as this page last heard of them: for the hearts of every list. */
interface Known {
  username: string;
  folders: readonly Folder[];
  /** By guide ID, the ids of its presets. */
  ids: ReadonlyMap<string, string>;
}

const listeners = new Set<() => void>();
let known: Known | undefined;
let changes = 0;

export const accountPresets = {
  get current(): Known | undefined {
    return known;
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Counts what hearts and merges changed: an answer that was asked for before is older than that. */
  get changes(): number {
    return changes;
  },
  changed(username: string, folders: readonly Folder[]): void {
    changes += 1;
    accountPresets.set(username, folders);
  },
  set(username: string, folders: readonly Folder[]): void {
    const ids = new Map(
      folders.flatMap(({ presets }) => presets.map(({ guideId, id }) => [guideId, id] as const)),
    );
    known = { username, folders, ids };
    for (const listener of listeners) listener();
  },
  forget(): void {
    known = undefined;
    for (const listener of listeners) listener();
  },
};
