import { uuidOf } from '../../lib/uuid-of.ts';
import { MAX_ADDRESS_LENGTH, withoutLastSlashes } from '../clean-address.ts';
import { isOriginalService, isPublicHost } from '../refused-hosts.ts';

/** Schemes by which pages ask a podcast player to open a feed. */
const PLAYER_SCHEME = /^(?:feed|itpc|itms|pcast|podcast|rss):(?:\/\/)?(?=.)/i;

/**
 * Where a feed is read, and the hash by which it is known again however its address is spelled; or the reason why the
 * address cannot be one.
 */
export function cleanFeedAddress(text: string): { address: string; key: string } | { refused: string } {
  const trimmed = text.trim().slice(0, 2 * MAX_ADDRESS_LENGTH);
  const web = trimmed.replace(PLAYER_SCHEME, (scheme) => (scheme.endsWith('://') ? 'http://' : ''));
  const url = URL.parse(web);
  const reason = reasonAgainst(url);
  if (!url || reason) return { refused: reason ?? MALFORMED };
  url.hash = '';
  // The two ways in which one old host hands out each feed.
  if (/^feeds2?\.feedburner\.com$/.test(url.hostname)) url.search = '';
  return { address: url.href, key: uuidOf(`${url.host}${withoutLastSlashes(url.pathname)}${url.search}`) };
}

const MALFORMED = 'the feed’s address is malformed: give it as https://host/path';

function reasonAgainst(url: URL | null): string | undefined {
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return MALFORMED;
  if (url.href.length > MAX_ADDRESS_LENGTH)
    return `the feed’s address is longer than ${MAX_ADDRESS_LENGTH} characters`;
  if (url.username !== '' || url.password !== '')
    return 'the feed’s address holds a password: private feeds are not listed';
  if (isOriginalService(url.hostname))
    return 'the feed’s address is of the original directory service, not of a show';
  if (!isPublicHost(url.hostname))
    return 'the feed’s address is inside somebody’s own network: give a public one';
  return undefined;
}
