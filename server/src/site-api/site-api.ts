import type { SiteEndpoint } from '../http/site-endpoint.ts';
import { systemClock } from '../lib/clock.ts';
import { Budgets } from '../members/budgets.ts';
import { accountBudgets, guarded } from './guard.ts';
import type { Desk, Members, SiteApiNeeds } from './needs.ts';
import { ROUTES } from './routes.ts';

export type { SiteApiNeeds };

/** The calls of the site's own pages: accounts, presets and radios by a session, and what the protocol has no page for. */
export function siteApi(needs: SiteApiNeeds): SiteEndpoint[] {
  const { clock = systemClock } = needs;
  const desk: Desk = { ...needs, members: membersOf(needs), takeFrom: accountBudgets(clock) };
  return ROUTES.map((route) => guarded(route, desk));
}

function membersOf({ doors, passwords, budgets, clock = systemClock }: SiteApiNeeds): Members | undefined {
  if (!doors || !passwords) return undefined;
  const { pool, keys, logins, legacyCredentials } = doors;
  return { pool, keys, logins, passwords, clock, legacyCredentials, budgets: budgets ?? new Budgets(clock) };
}
