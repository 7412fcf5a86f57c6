import type { Config } from '../../app/config.ts';
import type { Context } from '../../app/context.ts';
import { AppLogins } from '../../core/accounts/app-passwords/app-logins.ts';
import type { Budgets } from '../../core/accounts/budgets.ts';
import { DeviceDiary } from '../../core/accounts/devices/device-diary.ts';
import { followKeyState, requireSameKey } from '../../core/accounts/key-state.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { PasswordLogins } from '../../core/accounts/login/password-logins.ts';
import { Passwords } from '../../core/accounts/login/passwords.ts';
import type { MemberAccess } from '../../core/accounts/member-access.ts';
import { notifyOfPassword } from '../../core/accounts/mail/write-to-owner.ts';
import { type FleetBuckets, withPrefix } from '../../core/limits/fleet-buckets.ts';
import { DEFAULT_LANGUAGE } from '../../core/i18n/words.ts';
import { systemClock } from '../../lib/clock.ts';
import { Mailer } from '../../net/mailer.ts';
import type { AccountDeps } from '../../protocols/radiotime/account/account.ts';

/** Account dependencies shared by the protocol and the site. */
type MemberDeps = Omit<AccountDeps, 'budgets'> & {
  budgets?: Budgets;
  diary?: DeviceDiary;
  accounts?: AppAccounts;
};
/** What apps sign in to. */
type AppAccounts = Pick<MemberAccess, 'pool' | 'legacyCredentials'> & { apps: AppLogins };

/** Undefined without MEMBER_KEY: the service then has no accounts, and says so when asked for one. */
export async function openMembers(
  config: Config,
  {
    log,
    pool,
    budgets,
    buckets,
  }: Pick<Context, 'log' | 'pool'> & { budgets: Budgets; buckets: FleetBuckets | undefined },
  opened: AsyncDisposableStack,
): Promise<MemberDeps> {
  const { memberKey, memberKeyOld, mailUrl, mailFrom } = config;
  if (memberKey === undefined) return {};
  const keys = memberKeys(memberKey, memberKeyOld);
  await requireSameKey(pool, keys);
  opened.use(followKeyState(pool, keys, log));
  const passwords = opened.use(new Passwords({ keys }));
  await passwords.prepare();
  const isMailed = mailUrl !== undefined && mailFrom !== undefined;
  const mailer = isMailed ? opened.use(new Mailer({ url: mailUrl, from: mailFrom, log })) : undefined;
  const forgottenPage = forgottenPageOf(config);
  const onChanged = (id: number): void =>
    notifyOfPassword({ db: pool, mailer, budgets }, { id, language: DEFAULT_LANGUAGE, forgottenPage });
  const logins = new PasswordLogins({ pool, keys, clock: systemClock, passwords, onChanged, buckets });
  const legacyCredentials = config.legacyCredentials === 'allow';
  if (legacyCredentials)
    log.warn('LEGACY_CREDENTIALS=allow: passwords are accepted unencrypted; use it only in a home network');
  const diary = opened.use(new DeviceDiary(pool, log, keys));
  const homeSignIn = config.homeSignIn === 'allow';
  const apps = new AppLogins({
    db: pool,
    keys,
    clock: systemClock,
    buckets: buckets && withPrefix(buckets, 'app '),
  });
  const members = { pool, keys, logins, legacyCredentials, homeSignIn };
  return { members, accounts: { pool, apps, legacyCredentials }, passwords, mailer, budgets, diary };
}

/** The page that mailed reset links lead to; undefined when the site sends none. */
function forgottenPageOf({
  site: wanted,
  siteHost,
  publicHosts,
  legacyCredentials,
}: Config): string | undefined {
  const host = wanted === 'off' ? undefined : (siteHost ?? publicHosts[0]);
  // Without TLS these pages exist only where passwords in the clear are allowed.
  const scheme = legacyCredentials === 'allow' ? 'http' : 'https';
  return host === undefined ? undefined : `${scheme}://${host}/listen/forgotten`;
}
