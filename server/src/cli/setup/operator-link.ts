import { networkInterfaces } from 'node:os';
import type { Config } from '../../app/config.ts';
import { offerOperatorLink } from '../../core/accounts/operators.ts';
import type { Queryable } from '../../storage/db/pool.ts';

type Reached = Pick<
  Config,
  | 'site'
  | 'memberKey'
  | 'siteHost'
  | 'publicHosts'
  | 'legacyCredentials'
  | 'homeSignIn'
  | 'httpPort'
  | 'httpsPort'
>;

/** Why nobody can sign in at the site; undefined when they can. */
export function whyNoOperator(config: Reached): string | undefined {
  if (config.site === 'off') return 'the site is off (SITE)';
  if (config.memberKey === undefined)
    return 'there are no accounts without MEMBER_KEY; longwave config key prints one';
  const isHome = config.siteHost === undefined && config.publicHosts.length === 0;
  const isPlainAllowed = config.legacyCredentials === 'allow' || config.homeSignIn === 'allow';
  if (isHome && config.httpsPort === undefined && !isPlainAllowed)
    return 'signing in needs HTTPS, or in a home network HOME_SIGN_IN=allow';
  return undefined;
}

/** A new link; the token stands behind the `#`, which browsers send to nobody. */
export const makeOperatorLink = async (db: Queryable, config: Reached): Promise<string> =>
  `${siteOrigin(config)}/listen/operator#${await offerOperatorLink(db)}`;

/** Where the site is reached from another machine of the house. */
function siteOrigin({ siteHost, publicHosts, legacyCredentials, httpPort, httpsPort }: Reached): string {
  const plain = legacyCredentials === 'allow';
  const host = siteHost ?? publicHosts[0];
  if (host !== undefined) return `${plain ? 'http' : 'https'}://${host}`;
  const scheme = httpsPort !== undefined ? 'https' : 'http';
  const port = httpsPort ?? httpPort;
  return `${scheme}://${outwardAddress()}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}`;
}

/** The first address of this machine that others can reach. */
function outwardAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}
