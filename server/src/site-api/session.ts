import type { SiteAnswer, SiteCall } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import { type AccountRow, findAccount } from '../members/accounts.ts';
import { reopenAccount } from '../members/close-account.ts';
import type { Verified } from '../members/logins.ts';
import { endSession, findSession, openSession } from '../members/sessions.ts';
import { agentOf } from './agent.ts';
import { Fields } from './fields.ts';
import { canSignIn } from './guard.ts';
import { mailFor } from './mail.ts';
import type { Desk, Members } from './needs.ts';
import { placeOfAccount } from './place.ts';

/** Longer than any password: one that is sent anyway is only hashed. */
const LONGEST_PASSWORD = 1000;

export type VisitorCall = SiteCall & { members: Members };

export async function signIn(call: VisitorCall, desk: Desk): Promise<SiteAnswer> {
  const { members, caller } = call;
  const fields = new Fields(call.body);
  const username = fields.required('username');
  const password = fields.required('password', LONGEST_PASSWORD);
  const verified = await members.logins.verify({
    username,
    password,
    address: caller.securityIp,
    door: 'site',
  });
  if (!verified) throw notTogether();
  const session = await beginSession(call, verified);
  const wasClosed = await reopenAccount(members.pool, verified.accountId);
  return { json: { account: await accountView(desk, call, verified.accountId), wasClosed }, session };
}

const notTogether = (): SiteFault =>
  new SiteFault(
    401,
    'validation.credentials',
    'The name and the password do not belong together',
    'password',
  );

/**
 * A new session in the place of whatever one there was, so that nobody goes on with one that others may know. Refused when
 * the password was changed since it was looked at.
 */
export async function beginSession(
  { members, sessionToken, userAgent, now }: VisitorCall,
  opened: Verified,
): Promise<string> {
  const session = await openSession(members.pool, members.keys, {
    ...opened,
    earlier: sessionToken,
    agent: agentOf(userAgent),
    now,
  });
  if (session === undefined) throw notTogether();
  return session;
}

/** Also for who is signed out already. */
export async function signOut({ sessionToken }: SiteCall, { members }: Desk): Promise<SiteAnswer> {
  if (members && sessionToken !== undefined) await endSession(members.pool, members.keys, sessionToken);
  return { json: {}, session: null };
}

export async function showSession(call: SiteCall, desk: Desk): Promise<SiteAnswer> {
  const { members } = desk;
  if (!members) return { json: { account: null, signIn: 'closed' } };
  if (!canSignIn(call.caller, members)) return { json: { account: null, signIn: 'insecure' } };
  const { sessionToken: token, now } = call;
  const id = token && (await findSession(members.pool, members.keys, { token, now }));
  const account = id ? await accountView(desk, call, id) : null;
  const forgotten = mailFor(call.caller, desk) ? 'mail' : 'operator';
  // A cookie that opens nothing is taken away.
  return { json: { account, signIn: 'open', forgotten }, ...(token && !account && { session: null }) };
}

export async function accountView({ db }: Desk, { caller }: SiteCall, id: number): Promise<object | null> {
  const account = await findAccount(db, id);
  if (!account) return null;
  return {
    ...ownFacts(account),
    language: account.language ?? caller.words.spoken,
    place: await placeOfAccount(db, account),
  };
}

const ownFacts = (account: AccountRow) => ({
  username: account.username,
  email: account.email,
  zone: account.zone,
  readByName: account.readable_by_name,
  /** Made by a radio: what opens the site is still the short device password. */
  needsPassword: !account.has_site_password,
});
