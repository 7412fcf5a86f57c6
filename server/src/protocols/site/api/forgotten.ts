import { isEmail, isUsername } from '../../../core/accounts/account-form.ts';
import { reopenAccount } from '../../../core/accounts/account-lifecycle.ts';
import {
  findLink,
  LINK_MINUTES,
  offerLink,
  redeemLink,
} from '../../../core/accounts/mail/password-by-mail.ts';
import { type MailComposer, type Whom, writeToOwner } from '../../../core/accounts/mail/write-to-owner.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import { Fields } from './fields.ts';
import { type MailLinks, mailFor, newsOfPassword } from './mail.ts';
import type { SiteApiContext } from './deps.ts';
import { readPassword } from './register.ts';
import { accountView, beginSession, type VisitorCall } from './session.ts';

/** The answer is the same, and as fast, whether or not the account exists: it is looked up later, in the background. */
export async function sendLink(call: VisitorCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, caller } = call;
  const whom = readWhom(new Fields(call.body));
  const mail = requireMail(mailFor(caller, context));
  await members.budgets.take('mail', caller.address);
  writeToOwner(
    { db: members.pool, mailer: mail.mailer, budgets: members.budgets },
    whom,
    mailWithLink(call, mail),
  );
  return { json: { minutes: LINK_MINUTES } };
}

function readWhom(fields: Fields): Whom {
  const who = fields.required('who').trim();
  if (isEmail(who)) return { email: who };
  if (isUsername(who)) return { username: who };
  throw fields.refuse('who', 'Give the name of the account, or its e-mail address');
}

function requireMail(mail: MailLinks | undefined): MailLinks {
  if (mail) return mail;
  throw new SiteFault(
    503,
    'site.noMail',
    'This service sends no mail: the operator must set MAIL_URL, MAIL_FROM and PUBLIC_HOSTS, or can run `longwave account password NAME`',
  );
}

/** In the fragment, which browsers do not send: it appears in no log and no Referer. */
const mailWithLink =
  ({ members: { pool, keys, clock }, caller: { words } }: VisitorCall, { origin }: MailLinks): MailComposer =>
  async ({ id, username }) => {
    const token = await offerLink(pool, keys, { id, now: clock.now() });
    const link = `${origin}/listen/new-password#${username}.${token}`;
    return {
      subject: words.text('site-api.linkSubject'),
      text: words.text('site-api.linkText', { username, link, minutes: LINK_MINUTES }),
      secrets: [token],
    };
  };

/** The link proves access to the mailbox: it also reopens a closed account, and ends all its sessions. */
export async function setForgotten(call: VisitorCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, now } = call;
  const fields = new Fields(call.body);
  const [username, token] = [fields.required('username'), fields.required('token')];
  const password = readPassword(fields, 'password');
  // Checked before the password is hashed, which is deliberately expensive.
  const link = await findLink(members.pool, members.keys, { username, token, now });
  if (!link) throw linkOver();
  const passwordHash = await members.passwords.hash(password);
  if (!(await redeemLink(members.pool, link, { passwordHash, now }))) throw linkOver();
  const { accountId } = link;
  newsOfPassword(call, context, accountId);
  await reopenAccount(members.pool, accountId);
  const session = await beginSession(call, { accountId, passwordHash });
  return { json: { account: await accountView(context, call, accountId) }, session };
}

const linkOver = (): SiteFault =>
  new SiteFault(
    410,
    'site.linkOver',
    `This link was used, is older than ${LINK_MINUTES} minutes, or is not the latest one; request another`,
    'token',
  );
