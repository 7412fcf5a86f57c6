import type { Scheme } from '../http/origin.ts';

/**
 * What a page of the site may do. Sound comes from wherever stations are, and HLS is fetched by script, so those two are
 * wide; scripts are only ours, by a word that is said once. On a page by HTTPS browsers refuse plain HTTP anyway.
 */
export function pagePolicy(nonce: string, scheme: Scheme): string {
  const anywhere = scheme === 'https' ? 'https:' : 'https: http:';
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `media-src 'self' blob: ${anywhere}`,
    `connect-src 'self' ${anywhere}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types longwave',
  ].join('; ');
}

/** The worker asks for files of the site, and for nothing else. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** For a page without a script. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** Of every page: nobody holds its window, and what it does not use is off. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), payment=(), usb=(), geolocation=(self)',
  'X-Frame-Options': 'DENY',
};
