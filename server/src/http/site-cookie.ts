import type { Scheme } from './origin.ts';

/**
 * Over HTTPS the prefix makes browsers see to it that only this host, and only over HTTPS, has set it. A browser refuses
 * that name over plain HTTP, so at home, without HTTPS, it is the bare one.
 */
const NAMES: Readonly<Record<Scheme, string>> = { https: '__Host-longwave', http: 'longwave' };

const TOKEN = /^[\w-]{43}$/;
const MAX_AGE_SECONDS = 30 * 24 * 3600;

/** What the session's cookie holds; undefined when there is none, or none that could be ours. */
export function readSessionCookie(header: string | undefined, scheme: Scheme): string | undefined {
  const start = `${NAMES[scheme]}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(start));
  const token = pair?.trim().slice(start.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The header that sets it, or with no token the one that takes it away. */
export function writeSessionCookie(token: string | undefined, scheme: Scheme): string {
  const age = token === undefined ? 0 : MAX_AGE_SECONDS;
  const parts = [`${NAMES[scheme]}=${token ?? ''}`, 'Path=/', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Lax'];
  if (scheme === 'https') parts.push('Secure');
  return parts.join('; ');
}
