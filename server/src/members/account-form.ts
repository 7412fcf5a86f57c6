import { emailKey } from './emails.ts';

/** Names by which somebody could pass for whoever runs the service. */
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

/** What radios can send: short, and without anything a remote control lacks. */
export const isDevicePassword = (text: string): boolean => /^[!-~]{4,12}$/.test(text);

const SHORTEST_SITE_PASSWORD = 8;
const LONGEST_SITE_PASSWORD = 128;

/** Any characters, counted as people count them: a letter with its accent is one, however it is written. */
export function isSitePassword(text: string): boolean {
  const { length } = Array.from(text.normalize('NFC'));
  return length >= SHORTEST_SITE_PASSWORD && length <= LONGEST_SITE_PASSWORD;
}

const LOCAL = /^(?!\.)(?!.*\.(?:\.|$))[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;
const LONGEST_EMAIL = 254;

/** What a mail server could take; whether it is anybody's only a letter can tell. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    text.length <= LONGEST_EMAIL &&
    // By which it is known: in lower case some letters become two, such as İ.
    emailKey(text).length <= LONGEST_EMAIL &&
    LOCAL.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  );
}
