import { isOriginalService, isPublicHost } from './refused-hosts.ts';

export const MAX_LOGO_LENGTH = 1024;

/** A picture's address, or undefined. A host's front page, a page of text and a picture inside the text are no logos. */
export function cleanLogo(text: string): string | undefined {
  if (text.length > 2 * MAX_LOGO_LENGTH) return undefined;
  const url = URL.parse(text.trim().replaceAll('&amp;', '&'));
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (isOriginalService(url.hostname) || !isPublicHost(url.hostname) || url.username !== '') return undefined;
  if (url.pathname === '/' && url.search === '') return undefined;
  if (/\.(?:html?|m3u8?|pls|mp3|aac|txt|pdf)$/i.test(url.pathname)) return undefined;
  const [logo = ''] = url.href.split('#', 1);
  return logo.length <= MAX_LOGO_LENGTH ? logo : undefined;
}
