import { createContext, useContext } from 'react';
import type { Place } from './calls/place-calls.ts';

export interface SiteAccount {
  username: string;
  email: string;
  place: Place | null;
  zone: string;
  language: string;
  /** Whether radios may read the presets by user name alone. */
  readByName: boolean;
  /** The account was created on a radio: its short password still opens the site. */
  needsPassword: boolean;
  /** Whether the account looks after the installation. */
  isOperator: boolean;
}

/** `closed` where there are no accounts, `insecure` on a plain HTTP page, which may not ask for a password. */
export type Access = 'open' | 'insecure' | 'closed';

/** Who helps with a forgotten password: a link by mail, or the operator. */
export type Helper = 'mail' | 'operator';

export interface Session {
  /** Undefined until it is known, null when nobody is signed in. */
  account: SiteAccount | null | undefined;
  /** Whether signing in is possible at all; undefined until it is known. */
  door: Access | undefined;
  /** Undefined until it is known, and where signing in is not possible. */
  helper: Helper | undefined;
  /** Whether signing in is possible over plain HTTP, at home: then the page says what that means. */
  isPlain: boolean;
  /** The error of the last request; the other values are from before it. It is repeated automatically. */
  error: unknown;
  /** Requests it again after a change of the account; the known state stays until then. */
  refresh: () => Promise<void>;
  /** After signing in: the known state was that of nobody. */
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
