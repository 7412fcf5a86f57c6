import { isOriginalService, isPublicHost, networkOf } from './refused-hosts.ts';

export const MAX_HOMEPAGE_LENGTH = 1024;

/** A station's own page, or undefined: http and https only, public, and never a page of the original service. */
export function cleanHomepage(text: string): string | undefined {
  const url = parsePage(text);
  if (!url || isOriginalService(url.hostname) || !isPublicHost(url.hostname)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= MAX_HOMEPAGE_LENGTH ? url.href : undefined;
}

/** People leave the scheme out and double it. */
function parsePage(text: string): URL | undefined {
  if (text.length > 2 * MAX_HOMEPAGE_LENGTH) return undefined;
  const page = text.trim().replace(/^(?:https?:\/\/)+(?=https?:\/\/)/i, '');
  const url = URL.parse(/^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(page) ? `http://${page}` : page);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** Pages of many owners on one host: who is meant stands in the first part of the path. */
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

/** Pages of whoever lists or carries a station, which say nothing about the station itself. */
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
 * What tells two pages of one owner from those of another: the host without `www.`, with the first part of the path
 * where many share a host. Undefined where the page cannot tell.
 */
export function homepageHost(page: string): string | undefined {
  const url = URL.parse(page);
  if (!url) return undefined;
  const host = url.hostname.replace(/^www\d?\./, '');
  if (DIRECTORY_HOSTS.has(host) || DIRECTORY_HOSTS.has(networkOf(host)) || STREAM_HOST.test(host))
    return ownSite(url);
  if (!SHARED_HOSTS.has(host)) return host;
  const segment = firstSegment(url);
  return segment && `${host}/${segment}`;
}

/** Google's sites are the one useful part of its domain. */
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

/** Folders that every page of a host starts with name nobody: then the part behind them does. */
function firstSegment(url: URL): string | undefined {
  return url.pathname
    .toLowerCase()
    .split('/')
    .find((segment) => !NO_OWNER.has(segment));
}
