import { register, USERNAME_EXISTS } from '../../../core/accounts/account-lifecycle.ts';
import {
  emailKey,
  findAccount,
  findAccountIdByUsername,
  findRegistration,
} from '../../../core/accounts/accounts.ts';
import { type BudgetLimits, Budgets } from '../../../core/accounts/budgets.ts';
import type { Passwords } from '../../../core/accounts/login/passwords.ts';
import { MAILED_PASSWORD_HOURS, offerMailedPassword } from '../../../core/accounts/mail/password-by-mail.ts';
import { type MailComposer, type Whom, writeToOwner } from '../../../core/accounts/mail/write-to-owner.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import { textOutline } from '../../../formats/opml/outlines.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { Fault, Refusal } from '../../../lib/fault.ts';
import type { Mailer } from '../../../net/mailer.ts';
import { saveInTime, WRITE_MS } from '../../../storage/cache/in-time.ts';
import { deviceOf, requireInForm, requirePartner, requireSecure, signedIn } from '../call/acting-member.ts';
import { DONE, type Action, type Answer, type Call, type Endpoint } from '../call/endpoint.ts';
import { type CreateForm, findAccountPlace, readCreateForm, readEmailParam } from './create-place.ts';
import { type AccountActionContext } from './context.ts';
import { claim, drop, join, query } from './devices.ts';

export interface AccountDeps {
  /** Undefined when the operator has not set up accounts. */
  members?: MemberAccess | undefined;
  passwords?: Passwords | undefined;
  mailer?: Mailer | undefined;
  clock?: Clock | undefined;
  /** The limits, or the budgets themselves when they are shared with the site. */
  budgets?: BudgetLimits | Budgets | undefined;
}

type AccountAction = (context: AccountActionContext, call: Call) => ReturnType<Action>;

/** Registration, sign-in, and the devices of an account. */
export function accountEndpoints({
  members,
  passwords,
  mailer,
  clock = systemClock,
  budgets,
}: AccountDeps): Endpoint[] {
  const shared = budgets instanceof Budgets ? budgets : new Budgets(clock, budgets);
  const context = members && passwords && { members, passwords, mailer, clock, budgets: shared };
  const guarded =
    (action: AccountAction, inForm = true): Action =>
    (call) => {
      const open = requireAccounts(context);
      requirePartner(call);
      requireSecure(call, open.members.legacyCredentials);
      if (inForm) requireInForm(call, open.members.legacyCredentials);
      return saveInTime(async () => action(open, call), WRITE_MS);
    };
  const actions: [c: string, action: AccountAction][] = [
    ['auth', auth],
    ['create', create],
    ['join', join],
    ['drop', drop],
    ['query', query],
    ['claim', claim],
    ['remind', remind],
    ['reset', reset],
  ];
  return [
    { paths: ['/Account.ashx'], actions: new Map(actions.map(([c, action]) => [c, guarded(action)])) },
    // A legacy page, whose clients put everything into the query string.
    { paths: ['/Authenticate.ashx'], actions: new Map(), fallback: () => guarded(auth, false) },
  ];
}

function requireAccounts(context: AccountActionContext | undefined): AccountActionContext {
  if (context) return context;
  throw new Fault(
    503,
    'service.unavailable',
    'There are no accounts here: the operator must set MEMBER_KEY (`longwave config key` prints one)',
  );
}

/** A client that missed the answer repeats its registration; the account exists by then. */
const REPEATED_WITHIN = { minutes: 10 };

async function create(context: AccountActionContext, call: Call): Promise<Answer> {
  const { members, passwords, budgets } = context;
  const form = readCreateForm(call.params);
  const place = await findAccountPlace(members.pool, call.params);
  const giveBack = await budgets.take('create', call.caller.securityIp);
  const { username, email } = form;
  try {
    const passwordHash = await passwords.hash(form.password);
    await register(members.pool, { username, email, passwordHash, place }, deviceOf(call, members.keys));
  } catch (error) {
    const isSame = isTaken(error) && (await isSameAgain(context, form));
    if (isSame || error instanceof Refusal) giveBack();
    if (!isSame) throw error;
  }
  return DONE;
}

const isTaken = (error: unknown): boolean => error instanceof Fault && error.code === USERNAME_EXISTS;

/** Only an identical registration moments ago: otherwise this could be used to guess passwords. */
async function isSameAgain(
  { members: { pool }, passwords, clock }: AccountActionContext,
  form: CreateForm,
): Promise<boolean> {
  const id = await findAccountIdByUsername(pool, form.username);
  const earlier = id === undefined ? undefined : await findRegistration(pool, id);
  if (!earlier?.password_hash || emailKey(earlier.email ?? '') !== emailKey(form.email)) return false;
  const isFresh = Temporal.Instant.compare(earlier.created_at.add(REPEATED_WITHIN), clock.now()) > 0;
  return isFresh && passwords.fits(form.password, earlier.password_hash);
}

/** Mails forgotten credentials to the owner. The answer is the same whether or not the account exists. */
const remind = (context: AccountActionContext, call: Call): Promise<Answer> =>
  send(context, call, { email: readEmailParam(call.params) }, reminder(call));

const reset = (context: AccountActionContext, call: Call): Promise<Answer> =>
  send(context, call, whoForgot(call), newPassword(context, call));

async function send(
  { members, mailer, budgets }: AccountActionContext,
  { caller }: Call,
  whom: Whom,
  write: MailComposer,
): Promise<Answer> {
  const mail = { db: members.pool, mailer: requirePost(mailer), budgets };
  await budgets.take('mail', caller.securityIp);
  writeToOwner(mail, whom, write);
  return DONE;
}

/** By name or by e-mail address. */
function whoForgot({ caller: { username }, params }: Call): Whom {
  if (username !== undefined) return { username };
  if (!params.has('email'))
    throw new Fault(400, 'request.invalid', "Give the 'username' or the 'email' of the account");
  return { email: readEmailParam(params) };
}

const reminder =
  ({ caller: { words } }: Call): MailComposer =>
  async ({ username }) => ({
    subject: words.text('account.remindSubject'),
    text: words.text('account.remindText', { username }),
  });

const newPassword =
  ({ members: { pool, keys }, clock }: AccountActionContext, { caller: { words } }: Call): MailComposer =>
  async ({ id, username }) => {
    const password = await offerMailedPassword(pool, keys, { id, now: clock.now() });
    return {
      subject: words.text('account.resetSubject'),
      text: words.text('account.resetText', { username, password, hours: MAILED_PASSWORD_HOURS }),
      secrets: [password],
    };
  };

function requirePost(mailer: Mailer | undefined): Mailer {
  if (mailer) return mailer;
  throw new Fault(
    503,
    'service.unavailable',
    'This service sends no mail: the operator must set MAIL_URL and MAIL_FROM',
  );
}

/** Checks name and password; on success returns the three lines that clients of the JSON form read. */
async function auth({ members }: AccountActionContext, call: Call): Promise<Answer> {
  const id = await signedIn(call, members);
  const account = await findAccount(members.pool, id);
  if (!account) throw new Fault(401, 'validation.credentials', 'The account has just been closed');
  const username = account.username ?? '';
  return {
    outlines: [
      { ...textOutline(username), attributes: [['AccountId', String(id)]] },
      textOutline(username, { key: 'username' }),
      textOutline(account.zone ?? 'UTC', { key: 'zone' }),
    ],
    noStore: true,
  };
}
