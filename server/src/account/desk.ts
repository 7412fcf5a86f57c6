import type { MemberDoors } from '../http/acting-member.ts';
import type { Clock } from '../lib/clock.ts';
import type { Post } from '../lib/post.ts';
import type { Passwords } from '../members/passwords.ts';
import type { Budgets } from '../members/budgets.ts';

/** What the actions of an account are given. */
export interface Desk {
  doors: MemberDoors;
  passwords: Passwords;
  /** Undefined where the operator has set up no mail server. */
  post: Post | undefined;
  clock: Clock;
  budgets: Budgets;
}
