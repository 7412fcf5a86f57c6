import type { SiteAnswer } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import { Fault } from '../lib/fault.ts';
import { Refusal } from '../lib/refusal.ts';
import { isEmail, isReservedName, isSitePassword, isUsername } from '../members/account-form.ts';
import { NO_PASSWORD } from '../members/login-secrets.ts';
import { USERNAME_EXISTS, register as registerAccount } from '../members/register.ts';
import { isSpoken } from '../words/words.ts';
import { Fields } from './fields.ts';
import type { Desk } from './needs.ts';
import { readPlace } from './place.ts';
import { type VisitorCall, accountView, beginSession } from './session.ts';

/** An account with the site's own password; radios get one of theirs when their owner asks for it. */
export async function register(call: VisitorCall, desk: Desk): Promise<SiteAnswer> {
  const { members, caller } = call;
  const fields = new Fields(call.body);
  const username = readUsername(fields);
  const password = readPassword(fields, 'password');
  const email = readEmail(fields);
  const language = readLanguage(fields) ?? caller.words.spoken;
  const place = await readPlace(desk.db, fields.object('place') ?? fields);
  const giveBack = members.budgets.take('create', caller.securityIp);
  const sitePasswordHash = await members.passwords.hash(password).catch((error: unknown) => {
    if (error instanceof Refusal) giveBack();
    throw error;
  });
  const account = { username, email, place, language, sitePasswordHash, passwordHash: NO_PASSWORD };
  const id = await registerAccount(members.pool, account, undefined).catch(namingField);
  const session = await beginSession(call, { accountId: id, passwordHash: sitePasswordHash });
  return { json: { account: await accountView(desk, call, id) }, session, status: 201 };
}

/** The same fault as on the wire, with the field that a form marks. */
function namingField(error: unknown): never {
  if (!(error instanceof Fault) || error.code === undefined) throw error;
  const field = error.code === USERNAME_EXISTS ? 'username' : 'email';
  const message =
    field === 'username'
      ? error.message
      : 'This email is registered already; sign in, or have a link for a new password sent to it';
  throw new SiteFault(409, error.code, message, field);
}

function readUsername(fields: Fields): string {
  const username = fields.required('username');
  if (!isUsername(username))
    throw fields.refuse('username', 'A username has 1 to 12 letters and digits (a-z, 0-9)');
  if (isReservedName(username)) throw fields.refuse('username', 'This username is reserved; choose another');
  return username;
}

/** Longer than radios can send: theirs is another one. */
export function readPassword(fields: Fields, name: string): string {
  const password = fields.required(name, 1000);
  if (!isSitePassword(password)) throw fields.refuse(name, 'A password has 8 to 128 characters, of any kind');
  return password;
}

export function readEmail(fields: Fields): string {
  const email = fields.required('email');
  if (!isEmail(email)) throw fields.refuse('email', 'Give an e-mail address such as ann@mail.example');
  return email;
}

export function readLanguage(fields: Fields): string | undefined {
  const language = fields.text('language');
  if (language === undefined || (isSpoken(language) && /^[a-z]{2}$/.test(language))) return language;
  throw fields.refuse(
    'language',
    'Give the language as two letters, one that this service speaks, such as en',
  );
}
