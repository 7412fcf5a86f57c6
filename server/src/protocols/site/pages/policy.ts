import type { Scheme } from '../../../net/http/caller/origin.ts';

/**
 * The Content-Security-Policy of a page. Audio comes from arbitrary hosts, and HLS is fetched by script, so those two
 * are open; scripts are only ours, by a nonce. On HTTPS pages browsers block plain HTTP anyway.
 */
export const pagePolicy = (nonce: string, scheme: Scheme): string =>
  [
    ...ofPlayers(nonce, scheme),
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'trusted-types longwave',
  ].join('; ');

/** That of the player which other people's pages frame: the same, less what only the site needs. */
export const embedPolicy = (nonce: string, scheme: Scheme): string =>
  [...ofPlayers(nonce, scheme), "form-action 'none'", 'frame-ancestors *', "trusted-types 'none'"].join('; ');

function ofPlayers(nonce: string, scheme: Scheme): string[] {
  const anywhere = scheme === 'https' ? 'https:' : 'https: http:';
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self'",
    `media-src 'self' blob: ${anywhere}`,
    `connect-src 'self' ${anywhere}`,
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ];
}

/** The service worker fetches only files of the site. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** For a page without scripts. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** For every page: no access through window references, and unused browser features are disabled. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), payment=(), usb=(), geolocation=(self)',
  'X-Frame-Options': 'DENY',
};
