import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { type Found, findSession } from './account-calls.ts';
import { type Session, SessionContext } from './use-session.ts';

/** Without an answer nobody is signed in as far as this page can tell; everything else goes on. */
const UNKNOWN: Found = { account: null, signIn: 'open', forgotten: 'mail' };

export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [found, setFound] = useState<Found>();
  const refresh = useCallback(async () => setFound(await findSession().catch(() => UNKNOWN)), []);
  useEffect(() => {
    void refresh();
  }, [refresh]);
  const session = useMemo<Session>(
    () => ({ account: found?.account, door: found?.signIn, helper: found?.forgotten, refresh }),
    [found, refresh],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
