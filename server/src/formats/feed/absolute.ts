import { LIMITS } from './feed.ts';

/** An address of the web in full, as a URL parser spells it; undefined for anything else. */
export function absolute(text: string, base: string | undefined): string | undefined {
  if (text.length > 2 * LIMITS.address) return undefined;
  const url = URL.parse(text.trim().replaceAll('&amp;', '&'), base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return url.href.length <= LIMITS.address ? url.href : undefined;
}
