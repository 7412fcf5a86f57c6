import type { SiteAnswer } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import { isEmail, isUsername } from '../members/account-form.ts';
import { reopenAccount } from '../members/close-account.ts';
import { LINK_MINUTES, findLink, offerLink, redeemLink } from '../members/password-links.ts';
import { type LetterTo, type Whom, writeToOwner } from '../members/write-to-owner.ts';
import { Fields } from './fields.ts';
import { type Mail, mailFor, newsOfPassword } from './mail.ts';
import type { Desk } from './needs.ts';
import { readPassword } from './register.ts';
import { type VisitorCall, accountView, beginSession } from './session.ts';

/** The answer is the same, and as fast, whether there is such an account or not: nobody has looked yet. */
export function sendLink(call: VisitorCall, desk: Desk): SiteAnswer {
  const { members, caller } = call;
  const whom = readWhom(new Fields(call.body));
  const mail = requireMail(mailFor(caller, desk));
  members.budgets.take('mail', caller.securityIp);
  writeToOwner(
    { db: members.pool, post: mail.post, budgets: members.budgets },
    whom,
    letterWithLink(call, mail),
  );
  return { json: { minutes: LINK_MINUTES } };
}

function readWhom(fields: Fields): Whom {
  const who = fields.required('who').trim();
  if (isEmail(who)) return { email: who };
  if (isUsername(who)) return { username: who };
  throw fields.refuse('who', 'Give the name of the account, or its e-mail address');
}

function requireMail(mail: Mail | undefined): Mail {
  if (mail) return mail;
  throw new SiteFault(
    503,
    'site.noMail',
    'No mail is sent from here: the operator must set MAIL_URL, MAIL_FROM and PUBLIC_HOSTS, or can run `longwave account password NAME`',
  );
}

/** Behind the `#`, where browsers keep it to themselves: no log and no other site ever sees it. */
const letterWithLink =
  ({ members: { pool, keys, clock }, caller: { words } }: VisitorCall, { origin }: Mail): LetterTo =>
  async ({ id, username }) => {
    const token = await offerLink(pool, keys, { id, now: clock.now() });
    const link = `${origin}/listen/new-password#${username}.${token}`;
    return {
      subject: words.text('site-api.linkSubject'),
      text: words.text('site-api.linkText', { username, link, minutes: LINK_MINUTES }),
      secrets: [token],
    };
  };

/** Whoever has the link has the mailbox: it opens the account, also one that its owner closed, and ends all its sessions. */
export async function setForgotten(call: VisitorCall, desk: Desk): Promise<SiteAnswer> {
  const { members, now } = call;
  const fields = new Fields(call.body);
  const [username, token] = [fields.required('username'), fields.required('token')];
  const password = readPassword(fields, 'password');
  // Looked for before the password is hashed, which is made to be expensive.
  const link = await findLink(members.pool, members.keys, { username, token, now });
  if (!link) throw linkOver();
  const passwordHash = await members.passwords.hash(password);
  if (!(await redeemLink(members.pool, link, { passwordHash, now }))) throw linkOver();
  const { accountId } = link;
  newsOfPassword(call, desk, accountId);
  await reopenAccount(members.pool, accountId);
  const session = await beginSession(call, { accountId, passwordHash });
  return { json: { account: await accountView(desk, call, accountId) }, session };
}

const linkOver = (): SiteFault =>
  new SiteFault(
    410,
    'site.linkOver',
    `This link was used, is older than ${LINK_MINUTES} minutes, or is not the last one that was sent; ask for another`,
    'token',
  );
