import type { PageAnswer, PageCall, PageEndpoint } from '../http/page-endpoint.ts';
import type { Build } from './build.ts';
import { fileAnswer } from './file.ts';
import type { PageHead } from './head.ts';
import { type HeadNeeds, type Reader, showHead, stationHead } from './item-head.ts';
import { KeptBuild } from './kept-build.ts';
import { notBuilt } from './not-built.ts';
import { pageAnswer } from './page.ts';
import { BY_ACCEPT, REGISTER_PATH, isFromBrowser, registerLine } from './register-line.ts';
import { robots } from './robots.ts';

export interface SiteNeeds extends HeadNeeds {
  /** Where `npm run build -w web` writes. */
  folder: string;
  /** The site's own host, where it has one; pages asked for elsewhere are sent there. */
  siteHost?: string | undefined;
  /** The page where an account is made, where it is not the site's own. */
  registrationUrl?: string | undefined;
}

const BASE = '/listen/';
/** The pages that are the same for everybody; the others are an item's. */
const PAGES = [
  '',
  'browse',
  'search',
  'map',
  'sign-in',
  'register',
  'forgotten',
  'new-password',
  'presets',
  'radios',
  'settings',
];
const ITEM = /^(station|show)\/([a-z]\d{1,16})$/;

/** The site for people: its files, and its pages with a head that can be read without running them. */
export function site(needs: SiteNeeds): PageEndpoint[] {
  const kept = new KeptBuild(needs.folder);
  const answer = (call: PageCall): PageAnswer | Promise<PageAnswer> => {
    const isRegister = isRegisterPage(call);
    if (isRegister && !isFromBrowser(call)) return registerLine(call, registerAddress(call, needs));
    if (isRegister && needs.registrationUrl !== undefined) return sentTo(needs.registrationUrl, BY_ACCEPT);
    const elsewhere = homeOf(call, needs.siteHost);
    if (elsewhere !== undefined) return sentTo(elsewhere);
    const build = kept.current();
    const path = call.path.slice(BASE.length).replace(/\/$/, '');
    const file = kept.find(path);
    if (file) return secured(fileAnswer(file, path, call), call, needs);
    if (path.startsWith('assets/')) return noSuchFile();
    return build ? openPage(build, path, call, needs) : notBuilt();
  };
  return [{ path: '/listen', answer }, { path: `${BASE}*`, answer }, robots];
}

/** Without the site there is still the line that the index leads programs to. */
export const withoutSite = (registrationUrl: string | undefined): PageEndpoint[] => [
  {
    path: REGISTER_PATH,
    answer: (call) =>
      registrationUrl !== undefined && isFromBrowser(call)
        ? sentTo(registrationUrl, BY_ACCEPT)
        : registerLine(call, registrationUrl),
  },
];

const isRegisterPage = ({ path }: PageCall): boolean =>
  path.replace(/\/$/, '').toLowerCase() === REGISTER_PATH;

const registerAddress = (call: PageCall, needs: SiteNeeds): string =>
  needs.registrationUrl ?? `${readerOf(call, needs).origin}${REGISTER_PATH}`;

function openPage(
  build: Build,
  path: string,
  call: PageCall,
  needs: SiteNeeds,
): PageAnswer | Promise<PageAnswer> {
  const shown = (status: number, head?: PageHead): PageAnswer =>
    secured(pageAnswer(build, call, status, head), call, needs);
  const [, kind, id] = ITEM.exec(path) ?? [];
  if (id === undefined) {
    const page = shown(PAGES.includes(path) ? 200 : 404);
    return isRegisterPage(call) ? { ...page, headers: { ...page.headers, ...BY_ACCEPT } } : page;
  }
  const itemPage = (head: PageHead | undefined): PageAnswer => shown(head ? 200 : 404, head);
  const reader = readerOf(call, needs);
  return kind === 'station'
    ? itemPage(stationHead(id, needs, reader))
    : showHead(id, needs, reader).then(itemPage);
}

/** Links lead to the site's own host, else to where radios are led. */
function readerOf({ caller: { links, scheme, words } }: PageCall, { siteHost }: SiteNeeds): Reader {
  return { origin: siteHost === undefined ? links.origin : `${scheme}://${siteHost}`, words };
}

/** A host of the site's own is nobody's radio's: it may promise to be reached by HTTPS for ever. */
function secured(answer: PageAnswer, { caller, host }: PageCall, { siteHost }: SiteNeeds): PageAnswer {
  if (siteHost === undefined || host !== siteHost || caller.scheme !== 'https') return answer;
  return { ...answer, headers: { ...answer.headers, 'Strict-Transport-Security': 'max-age=31536000' } };
}

/** Undefined where the page is where it belongs. */
function homeOf({ path, query, host, caller }: PageCall, siteHost: string | undefined): string | undefined {
  const isElsewhere = siteHost !== undefined && host !== siteHost;
  if (!isElsewhere && path.startsWith(BASE)) return undefined;
  const place = path.startsWith(BASE) ? path : BASE;
  return isElsewhere ? `${caller.scheme}://${siteHost}${place}${query}` : `${place}${query}`;
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
