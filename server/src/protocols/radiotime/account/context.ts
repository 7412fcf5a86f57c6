import type { Budgets } from '../../../core/accounts/budgets.ts';
import type { Passwords } from '../../../core/accounts/login/passwords.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Mailer } from '../../../net/mailer.ts';

/** Dependencies of the account actions. */
export interface AccountActionContext {
  members: MemberAccess;
  passwords: Passwords;
  /** Undefined when the operator has not set up a mail server. */
  mailer: Mailer | undefined;
  clock: Clock;
  budgets: Budgets;
}
