import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import type { Directory } from '../directory/directory.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { SiteAnswer, SiteCall, SiteMethod } from '../http/site-endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import type { Post } from '../lib/post.ts';
import type { Budgets } from '../members/budgets.ts';
import type { MemberKeys } from '../members/keys.ts';
import type { Logins } from '../members/logins.ts';
import type { Passwords } from '../members/passwords.ts';

export interface SiteApiNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** Undefined where the operator has set up no accounts. */
  doors?: MemberDoors | undefined;
  passwords?: Passwords | undefined;
  /** Those that calls of the protocol take from too. */
  budgets?: Budgets | undefined;
  clock?: Clock | undefined;
  /** Undefined where the operator has set up no mail server. */
  post?: Post | undefined;
  /** The hosts that the operator says are this service's; the first is the site's own, where it has one. */
  siteHost?: string | undefined;
  publicHosts?: readonly string[] | undefined;
}

/** Everything about accounts, once there are any. */
export interface Members {
  pool: Pool;
  keys: MemberKeys;
  logins: Logins;
  passwords: Passwords;
  budgets: Budgets;
  clock: Clock;
  /** Whether passwords and sessions may go over plain HTTP. */
  legacyCredentials: boolean;
}

type Given = 'directory' | 'db' | 'aliases' | 'post' | 'siteHost' | 'publicHosts';

export interface Desk extends Pick<SiteApiNeeds, Given> {
  members: Members | undefined;
  /** Takes one from what an account may do in a while, or refuses. */
  takeFrom: (kind: 'write' | 'pair', accountId: number) => void;
}

/** A call of somebody who is signed in. */
export interface MemberCall extends SiteCall {
  accountId: number;
  members: Members;
}

/** Whom a call is for; there is no call that does not say. `visitor`: anybody, but where accounts are in use. */
export type Who = 'anyone' | 'visitor' | 'member';

interface RouteFacts {
  method: SiteMethod;
  /** Behind `/listen/api/`. */
  path: string;
  /** What it does, in the words of docs/site-api.md. */
  does: string;
}

type Result = Promise<SiteAnswer> | SiteAnswer;

export type SiteRoute = RouteFacts &
  (
    | { who: 'anyone'; answer: (call: SiteCall, desk: Desk) => Result }
    | { who: 'visitor'; answer: (call: SiteCall & { members: Members }, desk: Desk) => Result }
    | { who: 'member'; answer: (call: MemberCall, desk: Desk) => Result }
  );
