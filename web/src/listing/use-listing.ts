import { startTransition, useEffect, useState } from 'react';
import type { Item } from '../items/item.ts';
import type { Language } from '../i18n/languages.ts';
import { useWords } from '../i18n/use-words.ts';
import { type Chosen, FILTERS } from './filters.ts';
import { askStations, isInPlace, itemsOf, type Listable, type ListingPage } from './listing-calls.ts';

/** A list as far as it was read. */
interface Listed extends Pick<ListingPage, 'total' | 'isWhole' | 'next'> {
  filters: ListingPage['filters'] | undefined;
  items: readonly Item[];
}

export interface Listing {
  listable: Listable;
  chosen: Chosen;
  /** The list; while another choice is on its way the one before, with `isWaiting`. */
  listed: Listed | undefined;
  isWaiting: boolean;
  error: unknown;
  again: () => void;
  /** Undefined at the end of the list. */
  more: (() => void) | undefined;
  isMoreWaiting: boolean;
  hasMoreFailed: boolean;
  /** The index of the first row that `more` brought. */
  newFrom: number | undefined;
}

interface State {
  /** Of the list, whatever is chosen of it. */
  base: string;
  key: string;
  listed?: Listed | undefined;
  error?: unknown;
  more?: 'waiting' | 'failed' | undefined;
  newFrom?: number | undefined;
}

/** As long as going back finds the list as it was left, with all its pages. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 20;
const kept = new Map<string, { listed: Listed; at: number }>();

function recall(key: string): Listed | undefined {
  const known = kept.get(key);
  return known && performance.now() - known.at < KEPT_MS ? known.listed : undefined;
}

function keep(key: string, listed: Listed): void {
  kept.delete(key);
  kept.set(key, { listed, at: performance.now() });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Those on their way, which a page that is drawn meanwhile need not ask for again. */
const prepared = new Map<string, Promise<ListingPage>>();

/** Asks for a list before the page is drawn that will ask for the same, so that it is drawn with it. */
export async function prepareListing(listable: Listable, chosen: Chosen, language: Language): Promise<void> {
  const { key } = keysOf(listable, chosen, language);
  const asked = askStations(listable, { chosen, offset: 0, language });
  prepared.set(key, asked);
  try {
    keep(key, firstOf(await asked, listable));
  } finally {
    prepared.delete(key);
  }
}

const keysOf = (listable: Listable, chosen: Chosen, language: Language): Record<'base' | 'key', string> => {
  const base = `${language} ${JSON.stringify(listable)}`;
  return { base, key: `${base} ${FILTERS.map((name) => chosen[name] ?? '').join(' ')}` };
};

/** Stations of a list, as chosen, page by page. Without anything to list there is no request. */
export function useListing(listable: Listable | undefined, chosen: Chosen): Listing | undefined {
  const { language } = useWords();
  const { base, key } = listable ? keysOf(listable, chosen, language) : {};
  const [state, setState] = useState<State>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!listable || base === undefined || key === undefined) return undefined;
    const listed = recall(key);
    if (listed) return setState({ base, key, listed });
    const ending = new AbortController();
    const settle = (change: Pick<State, 'listed' | 'error'>): void => {
      if (!ending.signal.aborted) startTransition(() => setState({ base, key, ...change }));
    };
    const read = async (): Promise<void> => {
      const page = await (prepared.get(key) ??
        askStations(listable, { chosen, offset: 0, language }, ending.signal));
      const first = firstOf(page, listable);
      keep(key, first);
      settle({ listed: first });
    };
    read().catch((error: unknown) => settle({ error }));
    return () => ending.abort();
    // The key stands for all of it.
  }, [key, attempt]);
  if (!listable || base === undefined || key === undefined) return undefined;
  const isCurrent = state?.key === key;
  const current: State = isCurrent ? state : { base, key, listed: recall(key) };
  const isWaiting = current.listed === undefined && current.error === undefined;
  const { listed, more, newFrom } = current;
  const settleMore = (change: Partial<State>): void =>
    setState((last) => (last?.key === key ? { ...last, ...change } : last));
  const readMore = async (from: number, before: Listed): Promise<void> => {
    settleMore({ more: 'waiting' });
    const page = await askStations(listable, { chosen, offset: from, language });
    const longer = withNext(before, page, listable);
    keep(key, longer);
    startTransition(() => settleMore({ listed: longer, more: undefined, newFrom: before.items.length }));
  };
  const next = listed?.next ?? null;
  return {
    listable,
    chosen,
    listed: listed ?? (isWaiting && state?.base === base ? state.listed : undefined),
    isWaiting,
    error: current.error,
    again: () => setAttempt((count) => count + 1),
    more:
      listed === undefined || next === null
        ? undefined
        : () => {
            if (more !== 'waiting') readMore(next, listed).catch(() => settleMore({ more: 'failed' }));
          },
    isMoreWaiting: more === 'waiting',
    hasMoreFailed: more === 'failed',
    newFrom,
  };
}

const firstOf = (page: ListingPage, listable: Listable): Listed => ({
  total: page.total,
  isWhole: page.isWhole,
  next: page.next,
  filters: page.filters,
  items: itemsOf(page, isInPlace(listable)),
});

/** A station that moved up since is not shown twice. */
function withNext(before: Listed, page: ListingPage, listable: Listable): Listed {
  const there = new Set(before.items.map((item) => item.key));
  const items = itemsOf(page, isInPlace(listable)).filter((item) => !there.has(item.key));
  return { ...before, next: page.next, items: [...before.items, ...items] };
}
