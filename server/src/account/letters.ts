import type { Answer, Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import type { Post } from '../lib/post.ts';
import { MAILED_PASSWORD_HOURS, offerMailedPassword } from '../members/password-by-mail.ts';
import { type LetterTo, type Whom, writeToOwner } from '../members/write-to-owner.ts';
import { readEmail } from './create-form.ts';
import type { Desk } from './desk.ts';
import { DONE } from './done.ts';

/** What was forgotten, sent to whoever registered. The answer is the same whether there is such an account or not. */
export const remind = (desk: Desk, call: Call): Answer =>
  send(desk, call, { email: readEmail(call.params) }, reminder(call));

export const reset = (desk: Desk, call: Call): Answer =>
  send(desk, call, whoForgot(call), newPassword(desk, call));

function send({ doors, post, budgets }: Desk, { caller }: Call, whom: Whom, write: LetterTo): Answer {
  const mail = { db: doors.pool, post: requirePost(post), budgets };
  budgets.take('mail', caller.securityIp);
  writeToOwner(mail, whom, write);
  return DONE;
}

/** By name or by e-mail address. */
function whoForgot({ caller: { username }, params }: Call): Whom {
  if (username !== undefined) return { username };
  if (!params.has('email'))
    throw new Fault(400, 'request.invalid', "Give the 'username' or the 'email' of the account");
  return { email: readEmail(params) };
}

const reminder =
  ({ caller: { words } }: Call): LetterTo =>
  async ({ username }) => ({
    subject: words.text('account.remindSubject'),
    text: words.text('account.remindText', { username }),
  });

const newPassword =
  ({ doors: { pool, keys }, clock }: Desk, { caller: { words } }: Call): LetterTo =>
  async ({ id, username }) => {
    const password = await offerMailedPassword(pool, keys, { id, now: clock.now() });
    return {
      subject: words.text('account.resetSubject'),
      text: words.text('account.resetText', { username, password, hours: MAILED_PASSWORD_HOURS }),
      secrets: [password],
    };
  };

function requirePost(post: Post | undefined): Post {
  if (post) return post;
  throw new Fault(
    503,
    'service.unavailable',
    'No mail is sent from here: the operator must set MAIL_URL and MAIL_FROM',
  );
}
