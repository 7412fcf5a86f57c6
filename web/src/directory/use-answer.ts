import type { CallOptions, DirectoryClient } from '@longwave/client';
import { startTransition, useCallback, useEffect, useState } from 'react';
import type { Language } from '../i18n/languages.ts';
import { useWords } from '../i18n/use-words.ts';
import { directoryIn } from './client.ts';
import { Recent } from './recent.ts';
import { SharedCalls } from './shared-calls.ts';

export type Ask<T> = (directory: DirectoryClient, call: Required<CallOptions>) => Promise<T>;

export interface Answered<T> {
  /** Always the answer to the key of this render; never that of an earlier one. */
  value: T | undefined;
  error: unknown;
  isWaiting: boolean;
  /** Requests it again. */
  again: () => void;
}

interface Settled {
  key: string;
  value?: unknown;
  error?: unknown;
}

/** Of what is asked for before there is anything to wait in. */
const DEADLINE_MS = 15_000;
const recent = new Recent();
const shared = new SharedCalls();

/**
 * The directory's answer to a request, identified by a key; without a key there is no request. A replaced request is
 * aborted, unless another part of the page waits for it too. The key must include everything the answer depends on except the language, which is added here.
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
    // From now on it belongs to this page, however long the page stays open.
    if (found) return setSettled(found);
    const ending = new AbortController();
    const { signal } = ending;
    const settle = (next: Settled): void => {
      // The answer renders as a transition: keys pressed meanwhile go first.
      if (!signal.aborted) startTransition(() => setSettled(next));
    };
    const said = async (): Promise<void> => {
      const value = await shared.ask(named, signal, (ended) => ask(directoryIn(language), { signal: ended }));
      if (!signal.aborted) recent.add(named, value);
      settle({ key: named, value });
    };
    said().catch((error: unknown) => settle({ key: named, error }));
    return () => ending.abort();
    // `ask` is new in each render, but means the same request as long as the key is the same.
  }, [named, attempt]);
  const again = useCallback(() => {
    if (named !== undefined) recent.forget(named);
    setSettled(undefined);
    setAttempt((count) => count + 1);
  }, [named]);
  return {
    // oxlint-disable-next-line no-unsafe-type-assertion -- a key stands for one request, and so for one type
    value: known?.value as T | undefined,
    error: known?.error,
    isWaiting: named !== undefined && known === undefined,
    again,
  };
}

/** Asks before the page is drawn that will ask for the same, so that it is drawn with the answer. */
export async function prepareAnswer<T>(key: string, language: Language, ask: Ask<T>): Promise<void> {
  const named = `${language} ${key}`;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const value = await shared.ask(named, deadline, (signal) => ask(directoryIn(language), { signal }));
  recent.add(named, value);
}

const currentOf = (settled: Settled | undefined, key: string): Settled | undefined =>
  settled?.key === key ? settled : undefined;

function fresh(key: string): Settled | undefined {
  const found = recent.find(key);
  return found && { key, value: found.value };
}
