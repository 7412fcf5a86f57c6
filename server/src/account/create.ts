import { deviceOf } from '../http/acting-member.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { Refusal } from '../lib/refusal.ts';
import { findRegistration } from '../members/accounts.ts';
import { emailKey } from '../members/emails.ts';
import { USERNAME_EXISTS, register } from '../members/register.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import { type CreateForm, readCreateForm } from './create-form.ts';
import { findPlace } from './create-place.ts';
import type { Desk } from './desk.ts';
import { DONE } from './done.ts';

/** A client that saw no answer sends the same again; it has its account. */
const REPEATED_WITHIN = { minutes: 10 };

export async function create(desk: Desk, call: Call): Promise<Answer> {
  const { doors, passwords, budgets } = desk;
  const form = readCreateForm(call.params);
  const place = await findPlace(doors.pool, call.params);
  const giveBack = budgets.take('create', call.caller.securityIp);
  const { username, email } = form;
  try {
    const passwordHash = await passwords.hash(form.password);
    await register(doors.pool, { username, email, passwordHash, place }, deviceOf(call, doors.keys));
  } catch (error) {
    const isSame = isTaken(error) && (await isSameAgain(desk, form));
    if (isSame || error instanceof Refusal) giveBack();
    if (!isSame) throw error;
  }
  return DONE;
}

const isTaken = (error: unknown): boolean => error instanceof Fault && error.code === USERNAME_EXISTS;

/** Only the very same registration of a moment ago: otherwise this would be a way to try passwords. */
async function isSameAgain({ doors: { pool }, passwords, clock }: Desk, form: CreateForm): Promise<boolean> {
  const id = await findAccountIdByUsername(pool, form.username);
  const earlier = id === undefined ? undefined : await findRegistration(pool, id);
  if (!earlier?.password_hash || emailKey(earlier.email ?? '') !== emailKey(form.email)) return false;
  const isFresh = Temporal.Instant.compare(earlier.created_at.add(REPEATED_WITHIN), clock.now()) > 0;
  return isFresh && passwords.fits(form.password, earlier.password_hash);
}
