import { WRITE_MS, saveInTime } from '../cache/in-time.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { Action, Call, Endpoint } from '../http/endpoint.ts';
import { requirePartner } from '../http/require-partner.ts';
import { requireInForm, requireSecure } from '../http/require-secure.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { Post } from '../lib/post.ts';
import type { Passwords } from '../members/passwords.ts';
import { auth } from './auth.ts';
import { type BudgetLimits, Budgets } from '../members/budgets.ts';
import { create } from './create.ts';
import type { Desk } from './desk.ts';
import { claim, drop, join, query } from './devices.ts';
import { remind, reset } from './letters.ts';

export interface AccountNeeds {
  /** Undefined where the operator has set up no accounts. */
  doors?: MemberDoors | undefined;
  passwords?: Passwords | undefined;
  post?: Post | undefined;
  clock?: Clock | undefined;
  /** Its limits; or the budgets themselves, where others take from them too. */
  budgets?: BudgetLimits | Budgets | undefined;
}

type DeskAction = (desk: Desk, call: Call) => ReturnType<Action>;

/** Registering, signing in, and the devices that belong to an account. */
export function accountEndpoints({
  doors,
  passwords,
  post,
  clock = systemClock,
  budgets,
}: AccountNeeds): Endpoint[] {
  const shared = budgets instanceof Budgets ? budgets : new Budgets(clock, budgets);
  const desk = doors && passwords && { doors, passwords, post, clock, budgets: shared };
  const guarded =
    (action: DeskAction, inForm = true): Action =>
    (call) => {
      const open = requireDesk(desk);
      requirePartner(call);
      requireSecure(call, open.doors.legacyCredentials);
      if (inForm) requireInForm(call, open.doors.legacyCredentials);
      return saveInTime(async () => action(open, call), WRITE_MS);
    };
  const actions: [c: string, action: DeskAction][] = [
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
    // An older page, which its clients ask with everything in the address.
    { paths: ['/Authenticate.ashx'], actions: new Map(), fallback: () => guarded(auth, false) },
  ];
}

function requireDesk(desk: Desk | undefined): Desk {
  if (desk) return desk;
  throw new Fault(
    503,
    'service.unavailable',
    'There are no accounts here: the operator must set MEMBER_KEY (`longwave config key` prints one)',
  );
}
