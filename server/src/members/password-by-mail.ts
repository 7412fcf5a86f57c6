import { randomInt } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import { type MemberKeys, keyedHash } from './keys.ts';
import { offerPassword } from './login-secrets.ts';

/** Read aloud and typed in with a remote control: none of these looks like another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** As long as a password may be, some 59 bits: nobody guesses it within its hours. */
const PASSWORD_LENGTH = 12;
export const MAILED_PASSWORD_HOURS = 24;

/** Random characters that cannot be mistaken for each other. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const newMailedPassword = (): string => randomCode(PASSWORD_LENGTH);

/** As it is kept. It is long and random, so that a keyed hash is enough. */
export const mailedPasswordHash = (keys: MemberKeys, accountId: number, password: string): Buffer =>
  keyedHash(keys.code, 'mailed password', String(accountId), password);

/** A new password for who forgot theirs; it takes the place of whatever was offered before. */
export async function offerMailedPassword(
  db: Queryable,
  keys: MemberKeys,
  { id, now }: { id: number; now: Temporal.Instant },
): Promise<string> {
  const password = newMailedPassword();
  const until = now.add({ hours: MAILED_PASSWORD_HOURS });
  await offerPassword(db, { id, hash: mailedPasswordHash(keys, id, password), until });
  return password;
}
