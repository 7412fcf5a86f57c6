import { type ReactNode, useMemo } from 'react';
import { type Session, SessionContext } from './use-session.ts';
import { useFound } from './use-found.ts';

export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const { found, error, ask } = useFound();
  const session = useMemo<Session>(
    () => ({
      account: found?.account,
      door: found?.signIn,
      helper: found?.forgotten,
      error,
      refresh: () => ask(),
      signedIn: () => begin(() => ask({ account: undefined })),
      signedOut: () => begin(() => ask({ account: null })),
    }),
    [found, error, ask],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** As the worker calls what it keeps of a listener. */
const MINE = 'longwave-mine';

/** The worker forgets by itself, but not where the browser opened this page without it. */
async function begin(ask: () => Promise<void>): Promise<void> {
  // Only on secure pages, and not where the browser may keep nothing.
  if ('caches' in globalThis) await caches.delete(MINE).catch(() => false);
  await ask();
}
