import { onReturn } from '../app/on-return.ts';
import { type ListName, NO_LISTS, type SavedLists, readLists } from './lists.ts';

const DATABASE = 'longwave';
const LISTS = 'lists';
const NAMES = [
  'presets',
  'played',
  'songs',
  'queue',
  'shows',
  'finished',
] as const satisfies readonly ListName[];

export interface SavedState extends SavedLists {
  /** Whether it is still there after the page is closed; undefined until that is known. */
  readonly isLasting: boolean | undefined;
}

/**
 * The lists in IndexedDB, a record each. A change reads, changes and writes its list in one transaction, which browsers
 * run one after the other for all tabs, so that none overwrites another's; the others are told and read again. Where
 * the browser refuses, as some do in private windows, the lists last as long as the page.
 */
export class BrowserStore {
  #state: SavedState = { ...NO_LISTS, isLasting: undefined };
  #opening: Promise<IDBDatabase | undefined> | undefined;
  readonly #listeners = new Set<() => void>();
  #otherTabs: BroadcastChannel | undefined;

  /** Reads what is stored, now and whenever another tab changes it. */
  follow(): void {
    void this.read();
    // A browser without channels, or a tab that slept, has missed what others saved.
    onReturn(() => void this.read());
    if (!('BroadcastChannel' in globalThis)) return;
    this.#otherTabs = new BroadcastChannel('longwave-saved');
    this.#otherTabs.addEventListener('message', () => void this.read());
  }

  get state(): SavedState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async read(): Promise<void> {
    const database = await this.#database();
    // What could not be stored is only here; it must not be read away.
    if (!database || this.#state.isLasting === false) return;
    try {
      const store = database.transaction(LISTS).objectStore(LISTS);
      const stored = await Promise.all(NAMES.map(async (name) => [name, await done(store.get(name))]));
      this.#set({ ...readLists(Object.fromEntries(stored)), isLasting: true });
    } catch {
      this.#set({ isLasting: false });
    }
  }

  /** Resolves once it is stored, or known that it cannot be. */
  async change<Name extends ListName>(
    name: Name,
    change: (list: SavedLists[Name]) => SavedLists[Name],
  ): Promise<void> {
    const database = await this.#database();
    try {
      if (!database) throw new Error('IndexedDB is refused');
      const transaction = database.transaction(LISTS, 'readwrite');
      const store = transaction.objectStore(LISTS);
      const known = readLists({ [name]: await done(store.get(name)) })[name];
      const next = change(known);
      store.put(next, name);
      await completed(transaction);
      this.#set({ [name]: next, isLasting: true });
      this.#otherTabs?.postMessage(name);
    } catch {
      this.#set({ [name]: change(this.#state[name]), isLasting: false });
    }
  }

  #set(change: Partial<SavedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  #database(): Promise<IDBDatabase | undefined> {
    this.#opening ??= open().catch(() => {
      this.#set({ isLasting: false });
      return undefined;
    });
    return this.#opening;
  }
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(LISTS));
  const database = await done(request);
  // Another tab has a newer version of the site, which waits for this.
  database.addEventListener('versionchange', () => database.close());
  return database;
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('IndexedDB gave it up')),
    );
  });
