import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { Fault } from '../../../lib/fault.ts';
import type { PageAnswer, PageCall, PageEndpoint } from '../../../net/http/endpoints/page-endpoint.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Build } from './build.ts';
import { embedAnswer } from './embed.ts';
import { KeptBuild } from './kept-build.ts';
import { factsOfHome, factsOfMenu } from './menu-page.ts';
import { pageAnswer, type Shown } from './page.ts';
import { PAGE_HEADERS, PLAIN_POLICY } from './policy.ts';
import { inLanguage, type Reader, readerOf, type Say, sayIn } from './reader.ts';
import { factsOfShow } from './show-page.ts';
import { fileAnswer } from './site-file.ts';
import { robotsAnswer, Sitemaps } from './sitemaps.ts';
import { type Facts, type FactsDeps, factsOfStation } from './station-page.ts';

/** The registration page as a document for programs that are not browsers, in their protocol. */
export type RegisterLine = (call: PageCall, address: string | undefined) => PageAnswer;

export interface SiteDeps extends FactsDeps {
  directory: { current: () => Snapshot };
  db: Queryable;
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
  return [
    { path: '/listen', answer },
    { path: `${BASE}*`, answer },
    { path: '/embed/:station', answer: (call) => openEmbed(kept.current(), call, deps) },
    ...forSearch(deps),
  ];
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
  deps.registrationUrl ?? `${readerOf(call, deps.siteHost).origin}${REGISTER_PATH}`;

async function openPage(build: Build, path: string, call: PageCall, deps: SiteDeps): Promise<PageAnswer> {
  const reader = readerOf(call, deps.siteHost);
  const name = path.split('/', 1)[0] || 'home';
  const shown = (what: Omit<Shown, 'name'>): PageAnswer =>
    secured(pageAnswer(build, call, reader, { ...what, name }), call, deps);
  const finding = factsOf(path, call, deps, reader, sayIn(build.first.words, reader));
  if (finding === undefined) {
    const page = shown({ status: PAGES.includes(path) ? 200 : 404 });
    return isRegisterPage(call) ? { ...page, headers: { ...page.headers, ...BY_ACCEPT } } : page;
  }
  try {
    const facts = await finding;
    if (facts && 'moved' in facts) return movedTo(inLanguage(facts.moved, reader.lang));
    return shown({ status: facts ? 200 : 404, facts });
  } catch (error) {
    // The database is away: for people the page opens and tries by itself, search engines come again.
    if (error instanceof Fault && error.status >= 500) return shown({ status: 503 });
    throw error;
  }
}

/** Undefined for pages without facts; these are the same for everybody or somebody's own. */
function factsOf(
  path: string,
  { query }: PageCall,
  deps: SiteDeps,
  reader: Reader,
  say: Say,
): Promise<Facts | undefined> | undefined {
  const [, kind, id] = ITEM.exec(path) ?? [];
  if (id !== undefined)
    return kind === 'station' ? factsOfStation(id, deps, reader, say) : factsOfShow(id, deps, reader, say);
  if (path === '') return factsOfHome(deps, reader, say);
  return path === 'browse' ? factsOfMenu(query, deps, reader, say) : undefined;
}

/** For good, since ids are not used again; but an operator may part what was merged. */
const movedTo = (location: string): PageAnswer => ({
  ...sentTo(location),
  status: 301,
  cacheControl: 'private, max-age=3600',
});

/** The player for other people's pages. */
function openEmbed(build: Build | undefined, call: PageCall, deps: SiteDeps): PageAnswer {
  const { path, query, host, peer } = call;
  if (deps.siteHost !== undefined && host !== deps.siteHost)
    return sentTo(`${peer.scheme}://${deps.siteHost}${path}${query}`);
  if (!build) return notBuilt();
  const answer = embedAnswer(build, call, readerOf(call, deps.siteHost), deps);
  if (!answer) return noSuchFile('No such station\n');
  return 'moved' in answer ? movedTo(answer.moved) : secured(answer, call, deps);
}

/** What search engines ask for at the root of the host. */
function forSearch(deps: SiteDeps): PageEndpoint[] {
  const sitemaps = new Sitemaps(deps);
  const originOf = (call: PageCall): string => readerOf(call, deps.siteHost).origin;
  return [
    { path: '/robots.txt', answer: (call) => robotsAnswer(originOf(call)) },
    { path: '/sitemap.xml', answer: (call) => sitemaps.index(call, originOf(call)) },
    {
      path: '/sitemaps/*',
      answer: async (call) => (await sitemaps.part(call, originOf(call))) ?? noSuchFile('No such sitemap\n'),
    },
  ];
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

const noSuchFile = (words = 'No such file. The site has changed; load the page again.\n'): PageAnswer => ({
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(words),
  cacheControl: 'no-store',
});

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
