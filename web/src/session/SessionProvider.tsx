import { type ReactNode, useMemo } from 'react';
import { saved } from '../saved/saved.ts';
import { type Session, SessionContext } from './use-session.ts';
import { useFound } from './use-found.ts';

export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const { found, error, ask } = useFound();
  const session = useMemo<Session>(
    () => ({
      account: found?.account,
      door: found?.signIn,
      helper: found?.forgotten,
      isPlain: found?.isPlain === true,
      error,
      refresh: () => ask(),
      signedIn: () => begin(() => ask({ account: undefined })),
      signedOut: () => begin(() => ask({ account: null })).then(forgetPlayed),
    }),
    [found, error, ask],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** What was heard is nobody else's business; presets of the account are not here, and liked songs were meant to stay. */
const forgetPlayed = (): Promise<void> => saved.change('played', () => []);

/** The service worker's name for the cache of a listener's own data. */
const MINE = 'longwave-mine';

/** The worker deletes it by itself, but not if the browser opened this page without the worker. */
async function begin(ask: () => Promise<void>): Promise<void> {
  // Only on secure pages, and not where storage is disabled.
  if ('caches' in globalThis) await caches.delete(MINE).catch(() => false);
  await ask();
}
