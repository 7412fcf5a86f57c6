import { isEmail, isReservedName, isSitePassword, isUsername } from '../../../core/accounts/account-form.ts';
import { register as registerAccount, USERNAME_EXISTS } from '../../../core/accounts/account-lifecycle.ts';
import { NO_PASSWORD } from '../../../core/accounts/login/login-secrets.ts';
import { isSpoken } from '../../../core/i18n/words.ts';
import { Fault, Refusal } from '../../../lib/fault.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import { Fields } from './fields.ts';
import type { SiteApiContext } from './deps.ts';
import { readPlaceField } from './place.ts';
import { accountView, beginSession, type VisitorCall } from './session.ts';

/** Creates an account with a site password; a device password is created on request. */
export async function answerRegister(call: VisitorCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, caller } = call;
  const fields = new Fields(call.body);
  const username = readUsername(fields);
  const password = readPassword(fields, 'password');
  const email = readEmail(fields);
  const language = readLanguage(fields) ?? caller.words.spoken;
  const place = await readPlaceField(context.db, fields.object('place') ?? fields);
  const giveBack = await members.budgets.take('create', caller.address);
  const sitePasswordHash = await members.passwords.hash(password).catch((error: unknown) => {
    if (error instanceof Refusal) giveBack();
    throw error;
  });
  const account = { username, email, place, language, sitePasswordHash, passwordHash: NO_PASSWORD };
  const id = await registerAccount(members.pool, account, undefined).catch(namingField);
  const session = await beginSession(call, { accountId: id, passwordHash: sitePasswordHash });
  return { json: { account: await accountView(context, call, id) }, session, status: 201 };
}

/** The protocol's fault, plus the form field it belongs to. */
function namingField(error: unknown): never {
  if (!(error instanceof Fault) || error.code === undefined) throw error;
  const field = error.code === USERNAME_EXISTS ? 'username' : 'email';
  const message =
    field === 'username'
      ? error.message
      : 'This email is registered already; sign in, or request a link for a new password';
  throw new SiteFault(409, error.code, message, field);
}

function readUsername(fields: Fields): string {
  const username = fields.required('username');
  if (!isUsername(username))
    throw fields.refuse('username', 'A username has 1 to 12 letters and digits (a-z, 0-9)');
  if (isReservedName(username)) throw fields.refuse('username', 'This username is reserved; choose another');
  return username;
}

/** Site passwords are longer than radios can send: those use a device password. */
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
  throw fields.refuse('language', 'Give a supported language as two letters, such as en');
}
