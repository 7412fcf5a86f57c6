import type { Pool } from 'pg';
import type { AppCredentials, AppLogin, AppLogins } from '../../core/accounts/app-passwords/app-logins.ts';
import type { BodyCall } from '../../net/http/endpoints/body-endpoint.ts';
import { type SubsonicRequest, paramOf } from './read-request.ts';

/** An answer that is a refusal, by the numbers of the protocol. */
export class SubsonicError extends Error {
  override name = 'SubsonicError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const CODES = {
  other: 0,
  missing: 10,
  wrongLogin: 40,
  conflictingLogins: 43,
  wrongKey: 44,
  notAllowed: 50,
  notFound: 70,
} as const;

export interface SubsonicAccounts {
  pool: Pool;
  apps: AppLogins;
  legacyCredentials: boolean;
}

/** By a token, a password in the clear or in hexadecimal, or a password alone as an API key. */
export async function findSubsonicLogin(
  { peer }: BodyCall,
  request: SubsonicRequest,
  { apps, legacyCredentials }: SubsonicAccounts,
): Promise<AppLogin> {
  if (peer.scheme !== 'https' && !legacyCredentials)
    throw new SubsonicError(
      CODES.notAllowed,
      'Passwords need HTTPS. In a home network the operator can allow them over HTTP: LEGACY_CREDENTIALS=allow',
    );
  const credentials = credentialsOf(request);
  const login = await apps.verify(credentials, peer.address);
  if (login) return login;
  throw 'secret' in credentials
    ? new SubsonicError(
        CODES.wrongKey,
        'This API key opens nothing; make a password for this app and use that',
      )
    : new SubsonicError(
        CODES.wrongLogin,
        'Wrong username or password. The password is one that was made for this app, not that of the account',
      );
}

function credentialsOf(request: SubsonicRequest): AppCredentials {
  const [username, password, token, salt, secret] = ['u', 'p', 't', 's', 'apiKey'].map((name) =>
    paramOf(request, name),
  );
  if (secret !== undefined) {
    if (username !== undefined)
      throw new SubsonicError(CODES.conflictingLogins, 'Send either apiKey or u, not both');
    return { secret };
  }
  if (username === undefined) throw new SubsonicError(CODES.missing, "Required parameter 'u' is missing");
  if (token !== undefined) return { username, token, salt: salt ?? '' };
  if (password === undefined)
    throw new SubsonicError(CODES.missing, "Required parameter 't' with 's', or 'p', is missing");
  const [, coded] = /^enc:((?:[\da-f]{2})*)$/i.exec(password) ?? [];
  return {
    username,
    password: coded === undefined ? password : Buffer.from(coded, 'hex').toString('utf8').toWellFormed(),
  };
}

export const subsonicSecrets = (request: SubsonicRequest): readonly string[] =>
  ['p', 't', 'apiKey'].flatMap((name) => paramOf(request, name) ?? []);
