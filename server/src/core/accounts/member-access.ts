import type { Pool } from 'pg';
import type { MemberKeys } from './keys.ts';
import type { Logins } from './login/password-logins.ts';

/** What sign-in needs. */
export interface MemberAccess {
  pool: Pool;
  keys: MemberKeys;
  logins: Logins;
  /** Whether passwords may come over plain HTTP. */
  legacyCredentials: boolean;
  /** Whether browsers at home may sign in to the site over plain HTTP. */
  homeSignIn?: boolean | undefined;
}
