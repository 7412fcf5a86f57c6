import { TokenBuckets } from '../cache/token-buckets.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { Letter, Post } from '../lib/post.ts';
import { findAccount } from '../members/accounts.ts';
import { emailKey, findAccountIdByEmail } from '../members/emails.ts';
import { offerPassword } from '../members/login-secrets.ts';
import { MAILED_PASSWORD_HOURS, mailedPasswordHash, newMailedPassword } from '../members/password-by-mail.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import { readEmail } from './create-form.ts';
import type { Desk } from './desk.ts';
import { DONE } from './done.ts';

/** Letters an hour that one mailbox may get, whoever asks for them. */
const PER_MAILBOX = { perSecond: 3 / 3600, burst: 3 };

/** Someone who can be written to. */
interface Addressee {
  id: number;
  username: string;
  email: string;
}

type Write = (desk: Desk, call: Call, to: Addressee) => Promise<Omit<Letter, 'to'>>;
type FindId = (desk: Desk) => Promise<number | undefined>;

/** What was forgotten, sent to whoever registered. The answer is the same whether there is such an account or not. */
export function letters(clock: Clock) {
  const mailboxes = new TokenBuckets();
  const hasRoom = (email: string): boolean =>
    mailboxes.take(emailKey(email), PER_MAILBOX, clock.elapsedMs()) === 0;
  const send = (desk: Desk, call: Call, findId: FindId, write: Write): Answer => {
    const post = requirePost(desk.post);
    desk.budgets.take('mail', call.caller.securityIp);
    post.add(async () => {
      const to = await addressee(desk, await findId(desk));
      return to && hasRoom(to.email) ? { to: to.email, ...(await write(desk, call, to)) } : undefined;
    });
    return DONE;
  };
  return {
    remind: (desk: Desk, call: Call): Answer => {
      const email = readEmail(call.params);
      return send(desk, call, ({ doors }) => findAccountIdByEmail(doors.pool, email), reminder);
    },
    reset: (desk: Desk, call: Call): Answer => send(desk, call, whoForgot(call), newPassword),
  };
}

/** By name or by e-mail address. */
function whoForgot({ caller: { username }, params }: Call): FindId {
  if (username !== undefined) return ({ doors }) => findAccountIdByUsername(doors.pool, username);
  if (!params.has('email'))
    throw new Fault(400, 'request.invalid', "Give the 'username' or the 'email' of the account");
  const email = readEmail(params);
  return ({ doors }) => findAccountIdByEmail(doors.pool, email);
}

async function addressee({ doors }: Desk, id: number | undefined): Promise<Addressee | undefined> {
  const account = id === undefined ? undefined : await findAccount(doors.pool, id);
  return account?.username && account.email
    ? { id: account.id, username: account.username, email: account.email }
    : undefined;
}

const reminder: Write = async (_desk, { caller: { words } }, { username }) => ({
  subject: words.text('account.remindSubject'),
  text: words.text('account.remindText', { username }),
});

const newPassword: Write = async (
  { doors: { pool, keys }, clock },
  { caller: { words } },
  { id, username },
) => {
  const password = newMailedPassword();
  const until = clock.now().add({ hours: MAILED_PASSWORD_HOURS });
  await offerPassword(pool, { id, hash: mailedPasswordHash(keys, id, password), until });
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
