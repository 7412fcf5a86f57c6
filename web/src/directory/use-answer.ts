import type { CallOptions, DirectoryClient } from '@longwave/client';
import { startTransition, useCallback, useEffect, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { directoryIn } from './client.ts';
import { Recent } from './recent.ts';

export type Ask<T> = (directory: DirectoryClient, call: Required<CallOptions>) => Promise<T>;

export interface Answered<T> {
  /** Always the answer to the key of this very render; never that of an earlier one. */
  value: T | undefined;
  error: unknown;
  isWaiting: boolean;
  /** Asks anew. */
  again: () => void;
}

interface Settled {
  key: string;
  value?: unknown;
  error?: unknown;
}

export const recent = new Recent();

/**
 * What the directory says to a question, named by a key; without a key nothing is asked. A question that is replaced
 * by another is given up. The key names all that the answer depends on but the language, which is seen to here.
 */
export function useAnswer<T>(key: string | undefined, ask: Ask<T>): Answered<T> {
  const { language } = useWords();
  const named = key === undefined ? undefined : `${language} ${key}`;
  const [settled, setSettled] = useState<Settled>();
  const [attempt, setAttempt] = useState(0);
  const known = named === undefined ? undefined : (currentOf(settled, named) ?? fresh(named));
  useEffect(() => {
    if (named === undefined) return undefined;
    const found = fresh(named);
    // From now on it is this page's, however long the page stays.
    if (found) return setSettled(found);
    const ending = new AbortController();
    const { signal } = ending;
    const settle = (next: Settled): void => {
      // What came is drawn in pieces: a key pressed meanwhile goes first.
      if (!signal.aborted) startTransition(() => setSettled(next));
    };
    const told = async (): Promise<void> => {
      const value = await ask(directoryIn(language), { signal });
      if (!signal.aborted) recent.add(named, value);
      settle({ key: named, value });
    };
    told().catch((error: unknown) => settle({ key: named, error }));
    return () => ending.abort();
    // `ask` is new in each render and stands for the same question as long as the key does.
  }, [named, attempt]);
  const again = useCallback(() => {
    if (named !== undefined) recent.forget(named);
    setSettled(undefined);
    setAttempt((count) => count + 1);
  }, [named]);
  return {
    // oxlint-disable-next-line no-unsafe-type-assertion -- a key stands for one question, and so for one type
    value: known?.value as T | undefined,
    error: known?.error,
    isWaiting: named !== undefined && known === undefined,
    again,
  };
}

const currentOf = (settled: Settled | undefined, key: string): Settled | undefined =>
  settled?.key === key ? settled : undefined;

function fresh(key: string): Settled | undefined {
  const found = recent.find(key);
  return found && { key, value: found.value };
}
