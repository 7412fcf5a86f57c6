import { isOperator } from '../../../core/accounts/operators.ts';
import { findSession } from '../../../core/accounts/login/sessions.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Refusal } from '../../../lib/fault.ts';
import { type BucketLimits, TokenBuckets } from '../../../lib/token-buckets.ts';
import { inTime, saveInTime } from '../../../storage/cache/in-time.ts';
import { type SiteAnswer, type SiteCall, type SiteEndpoint, SiteFault } from '../session/site-endpoint.ts';
import type { SiteApiContext, Members, SiteRoute } from './deps.ts';

/** Shorter than the answer timeout, longer than the queue for hashing. */
const WORK_MS = 6000;

/** Wraps a route with its access policy. */
export const guarded = (route: SiteRoute, context: SiteApiContext): SiteEndpoint => ({
  method: route.method,
  path: `/listen/api/${route.path}`,
  answer: (call) =>
    route.method === 'GET'
      ? inTime(() => run(route, call, context), WORK_MS)
      : saveInTime(() => run(route, call, context), WORK_MS),
});

async function run(route: SiteRoute, call: SiteCall, context: SiteApiContext): Promise<SiteAnswer> {
  if (route.who === 'anyone') return route.answer(call, context);
  const members = requireMembers(call, context.members);
  if (route.who === 'visitor') return route.answer({ ...call, members }, context);
  const { sessionToken: token, now } = call;
  const accountId = token && (await findSession(members.pool, members.keys, { token, now }));
  if (!accountId)
    throw new SiteFault(401, 'site.signedOut', 'You are not signed in, or your session has ended; sign in');
  if (route.who === 'operator' && !(await isOperator(members.pool, accountId)))
    throw new SiteFault(
      403,
      'site.notOperator',
      'This is for the operator of the installation; longwave account operator NAME makes an account one',
    );
  if (route.method !== 'GET') context.takeFrom('write', accountId);
  return route.answer({ ...call, members, accountId }, context);
}

/** Requires accounts, and a connection that is encrypted or explicitly allowed. */
function requireMembers({ caller }: SiteCall, members: Members | undefined): Members {
  if (!members)
    throw new SiteFault(
      503,
      'site.noAccounts',
      'There are no accounts here: the operator must set MEMBER_KEY',
    );
  if (canSignIn(caller, members)) return members;
  throw new SiteFault(
    403,
    'site.insecure',
    'Passwords and sessions need HTTPS. In a home network the operator can allow them over HTTP: HOME_SIGN_IN=allow',
  );
}

export const canSignIn = (
  { scheme, isAtHome }: SiteCall['caller'],
  { legacyCredentials, homeSignIn = false }: Members,
): boolean => scheme === 'https' || legacyCredentials || (homeSignIn && isAtHome);

const LIMITS: Readonly<Record<'write' | 'pair', BucketLimits>> = {
  write: { perSecond: 2, burst: 120 },
  /** A code has 40 bits; nobody mistypes it this often. */
  pair: { perSecond: 20 / 3600, burst: 20 },
};

export function accountBudgets(clock: Clock): SiteApiContext['takeFrom'] {
  const buckets = new TokenBuckets();
  return (kind, accountId) => {
    const wait = buckets.take(`${kind} ${accountId}`, LIMITS[kind], clock.elapsedMs());
    if (wait === 0) return;
    const message = 'Too many changes in a short time; wait as long as Retry-After says';
    throw new Refusal(429, 'request.tooMany', message, Math.max(1, Math.ceil(wait)));
  };
}
