import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';

/** Who wants an account, in words that can be one. */
export interface CreateForm {
  username: string;
  password: string;
  email: string;
}

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

/** In the order in which what is wrong is told. */
export function readCreateForm(params: Params): CreateForm {
  const username = params.text('username') ?? '';
  if (!/^[A-Za-z0-9]{1,12}$/.test(username))
    throw new Fault(400, 'validation.error', "The 'username' must be 1 to 12 letters and digits (a-z, 0-9)");
  if (RESERVED.has(username.toLowerCase()))
    throw new Fault(400, 'validation.error', 'This username is reserved; choose another');
  const password = params.text('password') ?? '';
  if (!/^[!-~]{4,12}$/.test(password))
    throw new Fault(
      400,
      'validation.password',
      "The 'password' must be 4 to 12 letters, digits or symbols, without spaces or accents",
    );
  return { username, password, email: readEmail(params) };
}

export function readEmail(params: Params): string {
  const email = params.text('email') ?? '';
  if (!isEmail(email))
    throw new Fault(400, 'validation.email', "The 'email' must be an address such as ann@mail.example");
  return email;
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
    LOCAL.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  );
}
