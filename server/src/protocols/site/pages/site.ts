import { wordsForHeader } from '../../../core/i18n/locale.ts';
import type { PageAnswer, PageCall, PageEndpoint } from '../../../net/http/page-endpoint.ts';
import type { Build, SiteFile } from './build.ts';
import type { PageHead } from './head.ts';
import { type HeadDeps, type Reader, showHead, stationHead } from './item-head.ts';
import { KeptBuild } from './kept-build.ts';
import { pageAnswer } from './page.ts';
import { PAGE_HEADERS, PLAIN_POLICY, WORKER_POLICY } from './policy.ts';

/** The registration page as a document for programs that are not browsers, in their protocol. */
export type RegisterLine = (call: PageCall, address: string | undefined) => PageAnswer;

export interface SiteDeps extends HeadDeps {
  /** The output folder of `npm run build -w web`. */
  folder: string;
  /** The site's own host, if it has one; pages requested elsewhere are redirected there. */
  siteHost?: string | undefined;
  /** The registration page, if it is not the site's own. */
  registrationUrl?: string | undefined;
  registerLine: RegisterLine;
}

const BASE = '/listen/';
const REGISTER_PATH = '/listen/register';
/** The response depends on Accept. */
const BY_ACCEPT = { Vary: 'Accept, Accept-Encoding' };
/** Pages that are the same for everybody; the others belong to an item. */
const PAGES = [
  '',
  'browse',
  'search',
  'suggest',
  'map',
  'sign-in',
  'register',
  'forgotten',
  'new-password',
  'podcasts',
  'presets',
  'radios',
  'settings',
];
const ITEM = /^(station|show)\/([a-z]\d{1,16})$/;

/** The site: its files, and its pages with a head that is readable without scripts. */
export function site(deps: SiteDeps): PageEndpoint[] {
  const kept = new KeptBuild(deps.folder);
  const answer = (call: PageCall): PageAnswer | Promise<PageAnswer> => {
    const isRegister = isRegisterPage(call);
    if (isRegister && !isFromBrowser(call)) return deps.registerLine(call, registerAddress(call, deps));
    if (isRegister && deps.registrationUrl !== undefined) return sentTo(deps.registrationUrl, BY_ACCEPT);
    const elsewhere = homeOf(call, deps.siteHost);
    if (elsewhere !== undefined) return sentTo(elsewhere);
    const build = kept.current();
    const path = call.path.slice(BASE.length).replace(/\/$/, '');
    const file = kept.find(path);
    if (file) return secured(fileAnswer(file, path, call), call, deps);
    if (path.startsWith('assets/')) return noSuchFile();
    return build ? openPage(build, path, call, deps) : notBuilt();
  };
  return [{ path: '/listen', answer }, { path: `${BASE}*`, answer }, robots];
}

/** Without the site, the index still links to registration, so that programs get an answer. */
export const withoutSite = (
  registrationUrl: string | undefined,
  registerLine: RegisterLine,
): PageEndpoint[] => [
  {
    path: REGISTER_PATH,
    answer: (call) =>
      registrationUrl !== undefined && isFromBrowser(call)
        ? sentTo(registrationUrl, BY_ACCEPT)
        : registerLine(call, registrationUrl),
  },
];

/** Radio programs follow links of the index here too, and can only read a document of the protocol. */
const isFromBrowser = ({ headers }: PageCall): boolean => /\btext\/html\b/i.test(headers.accept ?? '');

const isRegisterPage = ({ path }: PageCall): boolean =>
  path.replace(/\/$/, '').toLowerCase() === REGISTER_PATH;

const registerAddress = (call: PageCall, deps: SiteDeps): string =>
  deps.registrationUrl ?? `${readerOf(call, deps).origin}${REGISTER_PATH}`;

function openPage(
  build: Build,
  path: string,
  call: PageCall,
  deps: SiteDeps,
): PageAnswer | Promise<PageAnswer> {
  const shown = (status: number, head?: PageHead): PageAnswer =>
    secured(pageAnswer(build, call, status, head, path.split('/', 1)[0] || 'home'), call, deps);
  const [, kind, id] = ITEM.exec(path) ?? [];
  if (id === undefined) {
    const page = shown(PAGES.includes(path) ? 200 : 404);
    return isRegisterPage(call) ? { ...page, headers: { ...page.headers, ...BY_ACCEPT } } : page;
  }
  const itemPage = (head: PageHead | undefined): PageAnswer => shown(head ? 200 : 404, head);
  const reader = readerOf(call, deps);
  return kind === 'station'
    ? itemPage(stationHead(id, deps, reader))
    : showHead(id, deps, reader).then(itemPage);
}

/** Links use the site's own host, otherwise the host that radios use. */
function readerOf({ headers, peer: { origin, scheme } }: PageCall, { siteHost }: SiteDeps): Reader {
  const words = wordsForHeader(headers['accept-language']);
  return { origin: siteHost === undefined ? origin : `${scheme}://${siteHost}`, words };
}

/** A host of its own serves no radios, so it can promise HTTPS for good (HSTS). */
function secured(answer: PageAnswer, { peer, host }: PageCall, { siteHost }: SiteDeps): PageAnswer {
  if (siteHost === undefined || host !== siteHost || peer.scheme !== 'https') return answer;
  return { ...answer, headers: { ...answer.headers, 'Strict-Transport-Security': 'max-age=31536000' } };
}

/** Undefined when the page is already at its canonical address. */
function homeOf({ path, query, host, peer }: PageCall, siteHost: string | undefined): string | undefined {
  const isElsewhere = siteHost !== undefined && host !== siteHost;
  if (!isElsewhere && path.startsWith(BASE)) return undefined;
  const place = path.startsWith(BASE) ? path : BASE;
  return isElsewhere ? `${peer.scheme}://${siteHost}${place}${query}` : `${place}${query}`;
}

const sentTo = (location: string, headers: PageAnswer['headers'] = {}): PageAnswer => ({
  status: 302,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(`The site is at ${location}\n`),
  cacheControl: 'no-store',
  location,
  headers,
});

const noSuchFile = (): PageAnswer => ({
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from('No such file. The site has changed; load the page again.\n'),
  cacheControl: 'no-store',
});

/** Search engines may index pages, but not the directory, which is endless and needed by radios. */
const LINES = ['User-agent: *', 'Allow: /listen/', 'Disallow: /listen/api/', 'Disallow: /', ''];

const robots: PageEndpoint = {
  path: '/robots.txt',
  answer: () => ({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(LINES.join('\n')),
    cacheControl: 'public, max-age=86400',
  }),
};

const YEAR = 'public, max-age=31536000, immutable';
/** Files that keep their name are revalidated each time by ETag. */
const ASK_AGAIN = 'no-cache';

/** A file of a build, compressed as the browser likes. */
export function fileAnswer(file: SiteFile, path: string, { headers }: PageCall): PageAnswer {
  const encoding = encodingOf(file, headers['accept-encoding'] ?? '');
  return {
    status: 200,
    contentType: file.contentType,
    body: (encoding === 'br' ? file.br : encoding === 'gzip' ? file.gzip : undefined) ?? file.bytes,
    encoding,
    cacheControl: file.isHashed ? YEAR : ASK_AGAIN,
    // A separate ETag for each content encoding.
    etag: encoding === undefined ? file.etag : file.etag.replace(/"$/, `-${encoding}"`),
    headers: path === 'sw.js' ? { 'Content-Security-Policy': WORKER_POLICY } : {},
  };
}

const accepts = (header: string, name: string): boolean =>
  header.split(',', 20).some((entry) => {
    const [coding = '', weight = ''] = entry.trim().toLowerCase().split(';', 2);
    return coding.trim() === name && !/^\s*q=0(?:\.0*)?\s*$/.test(weight);
  });

function encodingOf({ br, gzip }: SiteFile, header: string): 'br' | 'gzip' | undefined {
  if (br && accepts(header, 'br')) return 'br';
  return gzip && accepts(header, 'gzip') ? 'gzip' : undefined;
}

const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>Longwave: the site is not built</title>
  <style>
    :root { color-scheme: light dark; font: 1.125rem/1.6 Georgia, serif; }
    body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem;
      background: light-dark(#faf7f2, #14130f); color: light-dark(#1d1b18, #efe9dd); }
    main { max-width: 36rem; }
    code { font-size: 0.95em; }
  </style>
  <main>
    <h1>The site is not built yet</h1>
    <p>Radios are answered as ever. For people there is a site, and it has to be built once on this machine:</p>
    <p><code>npm run build -w web</code></p>
    <p>Then open this page again. Nothing has to be restarted. <code>SITE=off</code> turns the site off.</p>
    <p><a href="/Browse.ashx">What radios read</a></p>
  </main>
</html>
`;

/** Tells the operator how to build the site. */
const notBuilt = (): PageAnswer => ({
  status: 501,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(PAGE),
  cacheControl: 'no-store',
  headers: { ...PAGE_HEADERS, 'Content-Security-Policy': PLAIN_POLICY },
});
