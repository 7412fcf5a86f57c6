import { reopenAccount } from '../../../core/accounts/account-lifecycle.ts';
import { type AccountRow, findAccount } from '../../../core/accounts/accounts.ts';
import { isOperator } from '../../../core/accounts/operators.ts';
import type { Verified } from '../../../core/accounts/login/password-logins.ts';
import { endSession, findSession, openSession } from '../../../core/accounts/login/sessions.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { type SiteAnswer, type SiteCall, SiteFault } from '../session/site-endpoint.ts';
import { Fields } from './fields.ts';
import { canSignIn } from './guard.ts';
import { mailFor } from './mail.ts';
import type { SiteApiContext, Members } from './deps.ts';
import { placeOfAccount } from './place.ts';

/** Longer than any valid password: up to here an invalid one is simply hashed and does not match. */
const MAX_PASSWORD_LENGTH = 1000;

export type VisitorCall = SiteCall & { members: Members };

export async function signIn(call: VisitorCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, caller } = call;
  const fields = new Fields(call.body);
  const username = fields.required('username');
  const password = fields.required('password', MAX_PASSWORD_LENGTH);
  const verified = await members.logins.verify({
    username,
    password,
    address: caller.address,
    place: 'site',
  });
  if (!verified) throw notTogether();
  const session = await beginSession(call, verified);
  const wasClosed = await reopenAccount(members.pool, verified.accountId);
  return { json: { account: await accountView(context, call, verified.accountId), wasClosed }, session };
}

const notTogether = (): SiteFault =>
  new SiteFault(401, 'validation.credentials', 'The name or the password is wrong', 'password');

/**
 * Replaces any previous session, so that a session known to others ends. Fails if the password was changed since it was
 * checked.
 */
export async function beginSession(
  { members, sessionToken, userAgent, now }: VisitorCall,
  opened: Verified,
): Promise<string> {
  const wanted = { ...opened, earlier: sessionToken, agent: agentOf(userAgent), now };
  const session = await transaction(members.pool, (client) => openSession(client, members.keys, wanted));
  if (session === undefined) throw notTogether();
  return session;
}

/** Also succeeds without a session. */
export async function signOut({ sessionToken }: SiteCall, { members }: SiteApiContext): Promise<SiteAnswer> {
  if (members && sessionToken !== undefined) await endSession(members.pool, members.keys, sessionToken);
  return { json: {}, session: null };
}

export async function showSession(call: SiteCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members } = context;
  if (!members) return { json: { account: null, signIn: 'closed' } };
  if (!canSignIn(call.caller, members)) return { json: { account: null, signIn: 'insecure' } };
  const { sessionToken: token, now } = call;
  const id = token && (await findSession(members.pool, members.keys, { token, now }));
  const account = id ? await accountView(context, call, id) : null;
  const forgotten = mailFor(call.caller, context) ? 'mail' : 'operator';
  const isPlain = call.caller.scheme === 'http' || undefined;
  // Removes an invalid cookie.
  return {
    json: { account, signIn: 'open', isPlain, forgotten },
    ...(token && !account && { session: null }),
  };
}

export async function accountView(
  { db }: SiteApiContext,
  { caller }: SiteCall,
  id: number,
): Promise<object | null> {
  const account = await findAccount(db, id);
  if (!account) return null;
  return {
    ...ownFacts(account),
    language: account.language ?? caller.words.spoken,
    place: await placeOfAccount(db, account),
    isOperator: await isOperator(db, id),
  };
}

const ownFacts = (account: AccountRow) => ({
  username: account.username,
  email: account.email,
  zone: account.zone,
  readByName: account.readable_by_name,
  /** The account was created by a radio, so the site still accepts the short device password. */
  needsPassword: !account.has_site_password,
});

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'CrOS', 'Linux'];

/** "Firefox on Linux": enough of the User-Agent for its owner to recognise it. */
export function agentOf(userAgent: string): string {
  const text = userAgent.slice(0, 400);
  const browser = BROWSERS.find((name) => text.includes(`${name}/`));
  const system = SYSTEMS.find((name) => text.includes(name));
  const words = [browser && (NAMES[browser] ?? browser), system].filter((word) => word !== undefined);
  return words.join(' on ') || 'a browser';
}
