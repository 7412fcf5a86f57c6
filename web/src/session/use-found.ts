import { useCallback, useEffect, useRef, useState } from 'react';
import { type FoundSession, findSession } from './calls/account-calls.ts';
import { SiteFault } from './calls/api.ts';
import { onReturn } from '../app/on-return.ts';

/** The account may be unknown while it is only known that it changed. */
type Known = Omit<FoundSession, 'account'> & { account: FoundSession['account'] | undefined };

interface Asked {
  found: Known | undefined;
  error: unknown;
  /** A known change is shown immediately; the rest stays until there is an answer. */
  ask: (change?: Pick<Known, 'account'>) => Promise<void>;
}

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 60_000;

/**
 * Who is signed in. A missing answer says nothing about that: the known state stays, and the request is repeated after
 * growing pauses, when the network is back, and when the page becomes visible again, since the listener may have
 * signed out elsewhere.
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
    // Only the latest request counts.
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
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
    const timer = setTimeout(() => void ask(), pause);
    return () => clearTimeout(timer);
  }, [failures, ask]);
  return { found, error, ask };
}

/** An answer that the service worker cached earlier, because the service did not respond. */
const keptTrouble = ({ isKept }: FoundSession): unknown =>
  isKept ? new SiteFault(503, { code: 'unknown', message: '' }) : undefined;
