import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { isDevicePassword, isEmail, isReservedName, isUsername } from '../members/account-form.ts';

/** Who wants an account, in words that can be one. */
export interface CreateForm {
  username: string;
  password: string;
  email: string;
}

/** In the order in which what is wrong is told. */
export function readCreateForm(params: Params): CreateForm {
  const username = params.text('username') ?? '';
  if (!isUsername(username))
    throw new Fault(400, 'validation.error', "The 'username' must be 1 to 12 letters and digits (a-z, 0-9)");
  if (isReservedName(username))
    throw new Fault(400, 'validation.error', 'This username is reserved; choose another');
  const password = params.text('password') ?? '';
  if (!isDevicePassword(password))
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
