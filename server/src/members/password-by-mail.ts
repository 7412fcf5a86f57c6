import { randomInt } from 'node:crypto';
import { type MemberKeys, keyedHash } from './keys.ts';

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
