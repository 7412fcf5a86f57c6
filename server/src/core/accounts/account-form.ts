import { emailKey } from './accounts.ts';

/** Names that could be mistaken for the service's operator. */
const RESERVED = new Set([
  'abuse',
  'admin',
  'help',
  'hostmaster',
  'info',
  'longwave',
  'moderator',
  'nobody',
  'noreply',
  'operator',
  'owner',
  'postmaster',
  'root',
  'security',
  'staff',
  'support',
  'system',
  'webmaster',
]);

export const isUsername = (text: string): boolean => /^[A-Za-z0-9]{1,12}$/.test(text);

export const isReservedName = (username: string): boolean => RESERVED.has(username.toLowerCase());

/** What radios can send: short, and only characters that a remote control can type. */
export const isDevicePassword = (text: string): boolean => /^[!-~]{4,12}$/.test(text);

const MIN_SITE_PASSWORD_LENGTH = 8;
const MAX_SITE_PASSWORD_LENGTH = 128;

/** Any characters, counted as people count them: an accented letter is one, however it is encoded. */
export function isSitePassword(text: string): boolean {
  const { length } = Array.from(text.normalize('NFC'));
  return length >= MIN_SITE_PASSWORD_LENGTH && length <= MAX_SITE_PASSWORD_LENGTH;
}

const LOCAL = /^(?!\.)(?!.*\.(?:\.|$))[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;
const MAX_EMAIL_LENGTH = 254;

/** Syntax only; whether the mailbox exists only sending a mail can show. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    text.length <= MAX_EMAIL_LENGTH &&
    // Accounts are looked up by this key: in lower case some letters become two, such as İ.
    emailKey(text).length <= MAX_EMAIL_LENGTH &&
    LOCAL.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  );
}
