import { createContext, useContext } from 'react';
import type { Place } from './place-calls.ts';

export interface SiteAccount {
  username: string;
  email: string;
  place: Place | null;
  zone: string;
  language: string;
  /** Whether radios may read the presets by the name alone. */
  readByName: boolean;
  /** Made on a radio: what opens the site is still the short password. */
  needsPassword: boolean;
}

/** `closed` where there are no accounts, `insecure` on a page over plain HTTP that may not ask for a password. */
export type Door = 'open' | 'insecure' | 'closed';

/** Who helps somebody with a forgotten password: a link by mail, or whoever runs the service. */
export type Helper = 'mail' | 'operator';

export interface Session {
  /** Undefined until it is known, null when nobody is signed in. */
  account: SiteAccount | null | undefined;
  /** Whether one can sign in at all; undefined until it is known. */
  door: Door | undefined;
  /** Undefined until it is known, and where nobody can sign in. */
  helper: Helper | undefined;
  /** What went wrong the last time it was asked; what is known is of the time before. It is asked again by itself. */
  error: unknown;
  /** Asks again, after a change of the account; what is known stays until then. */
  refresh: () => Promise<void>;
  /** After signing in: what was known is of nobody. */
  signedIn: () => Promise<void>;
  /** After signing out: whatever the next answer is, nobody is signed in. */
  signedOut: () => Promise<void>;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession() stands outside of <SessionProvider>');
  return session;
}
