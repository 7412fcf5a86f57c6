import type { Pool } from 'pg';
import type { AppLogin, AppLogins } from '../../core/accounts/app-passwords/app-logins.ts';
import type { MemberAccess } from '../../core/accounts/member-access.ts';
import { Fault } from '../../lib/fault.ts';
import type { BodyCall } from '../../net/http/endpoints/body-endpoint.ts';

export interface Accounts extends Pick<MemberAccess, 'legacyCredentials'> {
  pool: Pool;
  apps: AppLogins;
}

const COOKIE = 'sessionid';

/** Who calls, and the headers that keep it so. */
export interface SignedIn {
  accountId: number;
  headers: readonly string[];
}

/**
 * By the cookie of an earlier answer, or by name and password. The user in the path must be the one who signed in.
 * mygpoclient gives up after being asked for its password three times, so every answer brings the cookie.
 */
export async function signInApp(
  call: BodyCall,
  accounts: Accounts | undefined,
  username: string | undefined,
): Promise<SignedIn> {
  if (!accounts)
    throw new Fault(503, undefined, 'There are no accounts here: the operator must set MEMBER_KEY');
  if (call.peer.scheme !== 'https' && !accounts.legacyCredentials)
    throw new Fault(
      403,
      undefined,
      'Passwords need HTTPS. In a home network the operator can allow them over HTTP: LEGACY_CREDENTIALS=allow',
    );
  const login = await findLogin(call, accounts.apps);
  if (!login)
    throw new Fault(
      401,
      undefined,
      'Sign in with the name of your account and the password made for this app',
    );
  if (username !== undefined && login.username.toLowerCase() !== username.toLowerCase())
    throw new Fault(403, undefined, `You are signed in as ${login.username}; ask for that user`);
  const session = accounts.apps.sessionOf(login);
  return { accountId: login.accountId, headers: ['Set-Cookie', cookie(call, session)] };
}

async function findLogin(call: BodyCall, apps: AppLogins): Promise<AppLogin | undefined> {
  const { address } = call.peer;
  const basic = basicOf(call);
  const session = sessionOf(call);
  if (basic) return apps.verify(basic, address);
  return session === undefined ? undefined : apps.verify({ session }, address);
}

/** What ends a session: the cookie is all there is of it. */
export const signOutHeaders = (call: BodyCall): readonly string[] => ['Set-Cookie', cookie(call, '')];

/** Never sent by the page of another site, and read by no script. */
const cookie = ({ peer }: BodyCall, value: string): string =>
  `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict${peer.scheme === 'https' ? '; Secure' : ''}; Max-Age=${value === '' ? 0 : 2_592_000}`;

const sessionOf = ({ headers: { cookie: sent = '' } }: BodyCall): string | undefined =>
  /(?:^|;\s*)sessionid=([\w.-]{1,200})/.exec(sent.slice(0, 4000))?.[1];

function basicOf({
  headers: { authorization = '' },
}: BodyCall): { username: string; password: string } | undefined {
  const [, coded] = /^Basic +([\w+/=-]{1,1000})$/i.exec(authorization) ?? [];
  if (coded === undefined) return undefined;
  const pair = Buffer.from(coded, 'base64').toString('utf8').toWellFormed().replaceAll('\0', '');
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

export const loginSecretsOf = (call: BodyCall): readonly string[] =>
  [call.headers.authorization ?? '', basicOf(call)?.password ?? '', sessionOf(call) ?? ''].filter(Boolean);
