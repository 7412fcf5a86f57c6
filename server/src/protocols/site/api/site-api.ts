import type { SiteEndpoint } from '../session/site-endpoint.ts';
import { systemClock } from '../../../lib/clock.ts';
import { Budgets } from '../../../core/accounts/budgets.ts';
import { Listings } from '../../../core/directory/listing/listings.ts';
import { Finder } from '../../../core/search/finder.ts';
import { suggestionBudget } from '../suggestions/suggest-station.ts';
import { accountBudgets, guarded } from './guard.ts';
import type { SiteApiContext, Members, SiteApiDeps } from './deps.ts';
import { ROUTES } from './routes.ts';

export type { SiteApiDeps };

/** The site's API: accounts, presets and radios by session, and what the RadioTime protocol does not offer. */
export function siteApi(deps: SiteApiDeps): SiteEndpoint[] {
  const { clock = systemClock } = deps;
  const context: SiteApiContext = {
    ...deps,
    finder: new Finder(deps.reads ?? deps.db),
    listings: new Listings(),
    members: membersOf(deps),
    takeFrom: accountBudgets(clock),
    admitSuggestion: suggestionBudget(clock),
  };
  return ROUTES.map((route) => guarded(route, context));
}

function membersOf({ members, passwords, budgets, clock = systemClock }: SiteApiDeps): Members | undefined {
  if (!members || !passwords) return undefined;
  return { ...members, passwords, clock, budgets: budgets ?? new Budgets(clock) };
}
