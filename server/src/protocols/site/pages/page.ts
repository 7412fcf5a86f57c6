import { randomBytes } from 'node:crypto';
import type { PageAnswer, PageCall } from '../../../net/http/endpoints/page-endpoint.ts';
import type { Build, FirstFiles } from './build.ts';
import { type PageHead, writeHead } from './head.ts';
import { type Markup, escapeHtml } from './markup.ts';
import { packed } from './packed.ts';
import { PAGE_HEADERS, pagePolicy } from './policy.ts';
import type { Reader } from './reader.ts';

const NONCE = '__NONCE__';
const TITLE = /<title>[^<]*<\/title>/;
const NOT_FOR_SEARCH = '<meta name="robots" content="noindex" />';
/** Of the languages we speak. */
const RIGHT_TO_LEFT = new Set(['ar', 'he']);

export interface Shown {
  status: number;
  /** The page's name in the build: `station`. */
  name: string;
  /** What can be read without scripts; undefined where there is nothing to find. */
  facts?: { head: PageHead; body: Markup } | undefined;
}

/** The built page for one response: with its own script nonce, the item's head and its facts. */
export function pageAnswer(build: Build, call: PageCall, reader: Reader, shown: Shown): PageAnswer {
  const { status, name, facts } = shown;
  const nonce = randomBytes(16).toString('base64');
  const { scheme } = call.peer;
  const { spoken } = reader.words;
  const text = build.page
    .replaceAll(NONCE, () => nonce)
    .replace('<html lang="en"', () => `<html lang="${spoken}" dir="${directionOf(spoken)}"`)
    .replace(TITLE, (before) => (facts === undefined ? before : titleOf(facts.head)))
    .replace('<!--head-->', () => (facts ? writeHead(facts.head, reader, nonce) : headless(name)))
    .replace('<!--styles-->', () => writeStyles(filesOf(build.first, name, spoken), nonce))
    .replace('</head>', () => `${writeScripts(filesOf(build.first, name, spoken), nonce)}</head>`)
    .replace('<!--facts-->', () =>
      facts === undefined ? '' : `<main class="first-facts" data-page="${name}">${facts.body.html}</main>`,
    );
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    ...packed(text, call.headers['accept-encoding']),
    // Not cached: the nonce is for this response only.
    cacheControl: 'private, no-cache',
    headers: {
      ...PAGE_HEADERS,
      'Content-Security-Policy': pagePolicy(nonce, scheme),
      Vary: 'Accept-Language, Accept-Encoding',
    },
  };
}

const directionOf = (language: string): string => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr');

const titleOf = ({ title }: PageHead): string =>
  `<title>${escapeHtml(title === 'Longwave' ? title : `${title} · Longwave`)}</title>`;

/** Pages about the reader are not for search engines; the map is a page like others. */
const headless = (name: string): string => (name === 'map' ? '' : NOT_FOR_SEARCH);

/** What the page will ask for once its program runs, so that browsers ask for it at once. */
const filesOf = ({ pages, languages }: FirstFiles, page: string, language: string): readonly string[] => [
  ...(pages.get(page) ?? []),
  ...[languages.get(language) ?? []].flat(),
];

const writeStyles = (files: readonly string[], nonce: string): string =>
  files
    .filter((file) => file.endsWith('.css'))
    .map((file) => `<link rel="stylesheet" crossorigin href="/listen/${file}" nonce="${nonce}">`)
    .join('');

const writeScripts = (files: readonly string[], nonce: string): string =>
  files
    .filter((file) => !file.endsWith('.css'))
    .map((file) => `<link rel="modulepreload" crossorigin href="/listen/${file}" nonce="${nonce}">`)
    .join('');
