import type { SiteAnswer } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import { offsetMinutes } from '../lib/zone.ts';
import { findAccount } from '../members/accounts.ts';
import { type AccountChanges, changeAccount } from '../members/change-account.ts';
import { closeAccount } from '../members/close-account.ts';
import { setDevicePassword } from '../members/login-secrets.ts';
import { newMailedPassword } from '../members/password-by-mail.ts';
import { UNDO_DAYS } from '../members/undo.ts';
import { Fields } from './fields.ts';
import { newsOfDevicePassword, newsOfEmail, newsOfPassword } from './mail.ts';
import type { Desk, MemberCall } from './needs.ts';
import { readPlace } from './place.ts';
import { readEmail, readLanguage, readPassword } from './register.ts';
import { accountView, beginSession } from './session.ts';

/** Everything that can be wrong is found before anything is changed, and all of it is changed or nothing. */
export async function changeMe(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const changes = await readChanges(call, fields, desk);
  const password = fields.object('password');
  const fresh = password && { old: password.required('old', 1000), next: readPassword(password, 'new') };
  let verifiedHash: string | undefined;
  if (fresh) verifiedHash = await requirePassword(call, fresh.old, 'password.old');
  // Letters with new passwords go there: who only found a browser signed in must not turn them to himself.
  else if (changes.email !== undefined)
    verifiedHash = await requirePassword(call, fields.required('currentPassword', 1000), 'currentPassword');
  const passwordHash = fresh && (await members.passwords.hash(fresh.next));
  const all = { ...changes, verifiedHash, sitePasswordHash: passwordHash };
  const oldEmail = await changeAccount(members.pool, accountId, all);
  if (oldEmail !== undefined) newsOfEmail(call, desk, accountId, oldEmail);
  if (passwordHash !== undefined) newsOfPassword(call, desk, accountId);
  // Every session is over, also that of who may have known the old one; the caller goes on with a new one.
  const session = passwordHash && (await beginSession(call, { accountId, passwordHash }));
  return { json: { account: await accountView(desk, call, accountId) }, ...(session && { session }) };
}

async function readChanges({ now }: MemberCall, fields: Fields, { db }: Desk): Promise<AccountChanges> {
  const place = fields.object('place');
  const zone = fields.text('zone');
  if (zone !== undefined && offsetMinutes(zone, now) === undefined)
    throw fields.refuse('zone', 'Give a time zone by its name, such as Europe/Berlin');
  return {
    email: fields.has('email') ? readEmail(fields) : undefined,
    place: place && (await readPlace(db, place)),
    zone,
    readByName: fields.flag('readByName'),
    language: readLanguage(fields),
  };
}

/** By the same door, and with the same count of wrong ones, as a sign-in; gives what it fitted, as it is stored. */
async function requirePassword(call: MemberCall, password: string, field: string): Promise<string> {
  const { members, accountId, caller } = call;
  const account = await findAccount(members.pool, accountId);
  const username = account?.username ?? '';
  const address = caller.securityIp;
  const verified = await members.logins.verify({ username, password, address, door: 'site' });
  if (verified?.accountId !== accountId)
    throw new SiteFault(403, 'validation.credentials', 'This is not your password', field);
  return verified.passwordHash;
}

export async function closeMe(call: MemberCall): Promise<SiteAnswer> {
  await requirePassword(call, new Fields(call.body).required('password', 1000), 'password');
  await closeAccount(call.members.pool, call.accountId);
  return { json: { deletedInDays: UNDO_DAYS }, session: null };
}

/** Shown this once: only its hash is kept. */
export async function newDevicePassword(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const account = await findAccount(members.pool, accountId);
  if (!account?.has_site_password)
    throw new SiteFault(
      409,
      'site.needsPassword',
      'Choose a password for the site first; the one you have is that of your radios',
    );
  const password = newMailedPassword();
  await setDevicePassword(members.pool, accountId, await members.passwords.hash(password));
  newsOfDevicePassword(call, desk, accountId);
  return { json: { password } };
}
