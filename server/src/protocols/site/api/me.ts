import {
  type AccountChanges,
  changeAccount,
  closeAccount,
} from '../../../core/accounts/account-lifecycle.ts';
import { findAccount, findRegistration } from '../../../core/accounts/accounts.ts';
import { listAccountDevices } from '../../../core/accounts/devices/devices.ts';
import { setDevicePassword } from '../../../core/accounts/login/login-secrets.ts';
import { listSessions } from '../../../core/accounts/login/sessions.ts';
import { newMailedPassword } from '../../../core/accounts/mail/password-by-mail.ts';
import { UNDO_DAYS } from '../../../core/accounts/undo.ts';
import { offsetMinutes } from '../../../lib/zone.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import { appsOf, podcastsOf } from './apps.ts';
import { Fields } from './fields.ts';
import { newsOfDevicePassword, newsOfEmail, newsOfPassword } from './mail.ts';
import type { SiteApiContext, MemberCall } from './deps.ts';
import { readPlaceField } from './place.ts';
import { readFolders } from './preset-list.ts';
import { diaryOf } from './radios/radio-view.ts';
import { readEmail, readLanguage, readPassword } from './register.ts';
import { accountView, beginSession } from './session.ts';

/** Validates everything before changing anything, and applies all changes in one transaction. */
export async function changeMe(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const changes = await readChanges(call, fields, context);
  const password = fields.object('password');
  const fresh = password && { old: password.required('old', 1000), next: readPassword(password, 'new') };
  let verifiedHash: string | undefined;
  if (fresh) verifiedHash = await requirePassword(call, fresh.old, 'password.old');
  // Mails with new passwords go there: someone who merely finds a browser signed in must not redirect them.
  else if (changes.email !== undefined)
    verifiedHash = await requirePassword(call, fields.required('currentPassword', 1000), 'currentPassword');
  const passwordHash = fresh && (await members.passwords.hash(fresh.next));
  const all = { ...changes, verifiedHash, sitePasswordHash: passwordHash };
  const oldEmail = await changeAccount(members.pool, accountId, all);
  if (oldEmail !== undefined) newsOfEmail(call, context, accountId, oldEmail);
  if (passwordHash !== undefined) newsOfPassword(call, context, accountId);
  // Ends every session, including those of anyone who knew the old password; the caller gets a new one.
  const session = passwordHash && (await beginSession(call, { accountId, passwordHash }));
  return { json: { account: await accountView(context, call, accountId) }, ...(session && { session }) };
}

async function readChanges(
  { now }: MemberCall,
  fields: Fields,
  { db }: SiteApiContext,
): Promise<AccountChanges> {
  const place = fields.object('place');
  const zone = fields.text('zone');
  if (zone !== undefined && offsetMinutes(zone, now) === undefined)
    throw fields.refuse('zone', 'Give a time zone by its name, such as Europe/Berlin');
  return {
    email: fields.has('email') ? readEmail(fields) : undefined,
    place: place && (await readPlaceField(db, place)),
    zone,
    readByName: fields.flag('readByName'),
    language: readLanguage(fields),
  };
}

/** Checked with the same limit on wrong attempts as a sign-in; returns the stored hash it matched. */
async function requirePassword(call: MemberCall, password: string, field: string): Promise<string> {
  const { members, accountId, caller } = call;
  const account = await findAccount(members.pool, accountId);
  const username = account?.username ?? '';
  const address = caller.address;
  const verified = await members.logins.verify({ username, password, address, place: 'site' });
  if (verified?.accountId !== accountId)
    throw new SiteFault(403, 'validation.credentials', 'This is not your password', field);
  return verified.passwordHash;
}

export async function closeMe(call: MemberCall): Promise<SiteAnswer> {
  await requirePassword(call, new Fields(call.body).required('password', 1000), 'password');
  await closeAccount(call.members.pool, call.accountId);
  return { json: { deletedInDays: UNDO_DAYS }, session: null };
}

/** Shown only once: only its hash is stored. */
export async function newDevicePassword(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const account = await findAccount(members.pool, accountId);
  if (!account?.has_site_password)
    throw new SiteFault(
      409,
      'site.needsPassword',
      'Choose a password for the site first; you only have the one for radios',
    );
  const password = newMailedPassword();
  await setDevicePassword(members.pool, accountId, await members.passwords.hash(password));
  newsOfDevicePassword(call, context, accountId);
  return { json: { password } };
}

/** All readable data about an account; passwords and serials are stored only as hashes. */
export async function exportMe(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId, caller, now } = call;
  const registration = await findRegistration(members.pool, accountId);
  const devices = await listAccountDevices(members.pool, accountId);
  const data = {
    exportedAt: now.toString(),
    account: await accountView(context, call, accountId),
    registeredAt: registration?.created_at.toString(),
    folders: await readFolders(context, members, { accountId, words: caller.words }),
    radios: devices.map((device) => ({
      name: device.name,
      joinedAt: device.joined_at.toString(),
      droppedAt: device.dropped_at?.toString() ?? null,
      lastSeen: device.seen_at?.toString() ?? null,
      partner: device.partner_id,
      profile: device.profile,
      requests: diaryOf(device),
    })),
    apps: await appsOf(call),
    podcasts: await podcastsOf(call),
    sessions: (await listSessions(members.pool, accountId)).map((session) => ({
      agent: session.agent,
      signedInAt: session.created_at.toString(),
      lastSeen: session.seen_at.toString(),
      endsAt: session.expires_at.toString(),
    })),
  };
  const bytes = Buffer.from(`${JSON.stringify(data, undefined, 2)}\n`);
  return { file: { bytes, contentType: 'application/json; charset=utf-8', name: 'my-longwave-data.json' } };
}
