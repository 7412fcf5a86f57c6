import { useCallback, useEffect, useRef, useState } from 'react';
import { type Found, findSession } from './account-calls.ts';
import { SiteFault } from './api.ts';
import { onReturn } from '../app/on-return.ts';

/** Of the account it may be unknown who it is, when it is known that it changed. */
type Known = Omit<Found, 'account'> & { account: Found['account'] | undefined };

interface Asked {
  found: Known | undefined;
  error: unknown;
  /** What is known to have changed is shown at once; the rest stays until there is an answer. */
  ask: (change?: Pick<Known, 'account'>) => Promise<void>;
}

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Who is signed in. An answer that does not come says nothing about that: what was known stays, and it is asked again after
 * growing pauses, when there is a network again, and when somebody comes back to the page, who may have signed out elsewhere.
 */
export function useFound(): Asked {
  const [found, setFound] = useState<Known>();
  const [error, setError] = useState<unknown>();
  const [failures, setFailures] = useState(0);
  const last = useRef(0);
  const ask = useCallback(async (change?: Pick<Known, 'account'>): Promise<void> => {
    last.current += 1;
    const mine = last.current;
    if (change) setFound((known) => known && { ...known, ...change });
    const answer = await findSession().catch((fault: unknown) => ({ fault }));
    // A later question has a later answer.
    if (mine !== last.current) return;
    if (!('fault' in answer)) setFound(answer);
    const trouble = 'fault' in answer ? answer.fault : keptTrouble(answer);
    setError(trouble);
    setFailures((count) => (trouble === undefined ? 0 : count + 1));
  }, []);
  useEffect(() => {
    void ask();
    return onReturn(() => void ask());
  }, [ask]);
  useEffect(() => {
    if (failures === 0) return undefined;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    const timer = setTimeout(() => void ask(), pause);
    return () => clearTimeout(timer);
  }, [failures, ask]);
  return { found, error, ask };
}

/** What the worker kept of an earlier day, because the service did not answer. */
const keptTrouble = ({ isKept }: Found): unknown =>
  isKept ? new SiteFault(503, { code: 'unknown', message: '' }) : undefined;
