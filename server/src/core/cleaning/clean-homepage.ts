import { isOriginalService, isPublicHost, registrableDomainOf } from './refused-hosts.ts';

export const MAX_HOMEPAGE_LENGTH = 1024;

/** A station's own page, or undefined: http and https only, public, and never a page of the original service. */
export function cleanHomepage(text: string): string | undefined {
  const url = parsePage(text);
  if (!url || isOriginalService(url.hostname) || !isPublicHost(url.hostname)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= MAX_HOMEPAGE_LENGTH ? url.href : undefined;
}

/** People omit the scheme or double it. */
function parsePage(text: string): URL | undefined {
  if (text.length > 2 * MAX_HOMEPAGE_LENGTH) return undefined;
  const page = text.trim().replace(/^(?:https?:\/\/)+(?=https?:\/\/)/i, '');
  const url = URL.parse(/^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(page) ? `http://${page}` : page);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** Hosts with pages of many owners: the first path segment names the owner. */
const SHARED_HOSTS = new Set([
  'facebook.com',
  'm.facebook.com',
  'instagram.com',
  'twitter.com',
  'x.com',
  'youtube.com',
  'tiktok.com',
  't.me',
  'vk.com',
  'weibo.com',
  'linktr.ee',
  'laut.fm',
  'zeno.fm',
  'radio.co',
  'live365.com',
  'mixlr.com',
  'xat.com',
  'radio12345.com',
]);

/** Sites that list or carry stations; a page there says nothing about the station itself. */
const DIRECTORY_HOSTS = new Set([
  'onlineradiobox.com',
  'mytuner-radio.com',
  'radio.garden',
  'radio.net',
  'radios.com.br',
  'top-radio.ru',
  'top-radio.pro',
  'liveradios.in',
  'streema.com',
  'radio-browser.info',
  'i.ibb.co',
  'google.com',
  'wikipedia.org',
  'archive.org',
]);
const STREAM_HOST = /^(?:stream|streams|playerservices|cast|listen)\d*\./;

/**
 * Identifies the owner of a page: the host without `www.`, plus the first path segment where many share a host.
 * Undefined where the page does not identify an owner.
 */
export function homepageHost(page: string): string | undefined {
  const url = URL.parse(page);
  if (!url) return undefined;
  const host = url.hostname.replace(/^www\d?\./, '');
  if (DIRECTORY_HOSTS.has(host) || DIRECTORY_HOSTS.has(registrableDomainOf(host)) || STREAM_HOST.test(host))
    return ownSite(url);
  if (!SHARED_HOSTS.has(host)) return host;
  const segment = firstSegment(url);
  return segment && `${host}/${segment}`;
}

/** Google Sites is the one useful part of Google's domain. */
function ownSite(url: URL): string | undefined {
  const [, name] =
    url.hostname === 'sites.google.com' ? (/^\/(?:view|site|a)\/([^/]+)/.exec(url.pathname) ?? []) : [];
  return name && `sites.google.com/${name.toLowerCase()}`;
}

const NO_OWNER = new Set([
  '',
  'pages',
  'pg',
  'groups',
  'people',
  'profile.php',
  'watch',
  'channel',
  'radio',
  'home',
  'index.html',
]);

/** Some hosts begin every path with the same folder, which names nobody: then the segment after it does. */
function firstSegment(url: URL): string | undefined {
  return url.pathname
    .toLowerCase()
    .split('/')
    .find((segment) => !NO_OWNER.has(segment));
}

const MAX_LOGO_LENGTH = 1024;

/** An image's address, or undefined. A host's front page, an HTML page and a data URL are not logos. */
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

/** Second levels under which names are registered: `abc.net.au` is a name, `net.au` is not. */
const SECOND_LEVELS = new Set('ac co com edu go gob gov gen in net ne nom or org web'.split(' '));

/** The registered name: `radio.example.co.uk` -> `example.co.uk`; unchanged where a path tells owners apart. */
export function domainOf(host: string): string {
  if (host.includes('/')) return host;
  const labels = host.split('.');
  const isSecondLevel =
    labels.length > 2 && SECOND_LEVELS.has(labels.at(-2) ?? '') && labels.at(-1)?.length === 2;
  return labels.slice(isSecondLevel ? -3 : -2).join('.');
}

/** Equal for all spellings of one page: without scheme, `www.` and the slash at its end. Undefined if it is none. */
export function homepageKey(text: string): string | undefined {
  const url = URL.parse(cleanHomepage(text) ?? '');
  if (!url) return undefined;
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  return `${url.host.replace(/^www\d?\./, '')}${path}${url.search}`;
}
