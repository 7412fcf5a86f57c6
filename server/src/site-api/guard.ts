import { inTime, saveInTime } from '../cache/in-time.ts';
import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import type { SiteAnswer, SiteCall, SiteEndpoint } from '../http/site-endpoint.ts';
import { SiteFault } from '../http/site-fault.ts';
import type { Clock } from '../lib/clock.ts';
import { Refusal } from '../lib/refusal.ts';
import { findSession } from '../members/sessions.ts';
import type { Desk, Members, SiteRoute } from './needs.ts';

/** Shorter than an answer may take, longer than hashes queue. */
const WORK_MS = 6000;

/** A route with its policy before it. */
export const guarded = (route: SiteRoute, desk: Desk): SiteEndpoint => ({
  method: route.method,
  path: `/listen/api/${route.path}`,
  answer: (call) =>
    route.method === 'GET'
      ? inTime(run(route, call, desk), WORK_MS)
      : saveInTime(() => run(route, call, desk), WORK_MS),
});

async function run(route: SiteRoute, call: SiteCall, desk: Desk): Promise<SiteAnswer> {
  if (route.who === 'anyone') return route.answer(call, desk);
  const members = requireMembers(call, desk.members);
  if (route.who === 'visitor') return route.answer({ ...call, members }, desk);
  const { sessionToken: token, now } = call;
  const accountId = token && (await findSession(members.pool, members.keys, { token, now }));
  if (!accountId)
    throw new SiteFault(401, 'site.signedOut', 'You are not signed in, or no longer; sign in first');
  if (route.method !== 'GET') desk.takeFrom('write', accountId);
  return route.answer({ ...call, members, accountId }, desk);
}

/** Where there are accounts, and the way to them is not open to everybody's eyes. */
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
    'Passwords and sessions need HTTPS. In a home network the operator can allow them over HTTP: LEGACY_CREDENTIALS=allow',
  );
}

export const canSignIn = ({ scheme }: SiteCall['caller'], { legacyCredentials }: Members): boolean =>
  scheme === 'https' || legacyCredentials;

const LIMITS: Readonly<Record<'write' | 'pair', BucketLimits>> = {
  write: { perSecond: 2, burst: 120 },
  /** A code has 40 bits; nobody types this many wrong. */
  pair: { perSecond: 20 / 3600, burst: 20 },
};

export function accountBudgets(clock: Clock): Desk['takeFrom'] {
  const buckets = new TokenBuckets();
  return (kind, accountId) => {
    const wait = buckets.take(`${kind} ${accountId}`, LIMITS[kind], clock.elapsedMs());
    if (wait === 0) return;
    const message = 'Too many changes at once; wait as long as Retry-After says';
    throw new Refusal(429, 'request.tooMany', message, Math.max(1, Math.ceil(wait)));
  };
}
