import { randomBytes } from 'node:crypto';
import type { PageAnswer, PageCall } from '../../../net/http/page-endpoint.ts';
import { wordsForHeader } from '../../../core/i18n/locale.ts';
import type { Build, FirstFiles } from './build.ts';
import { type PageHead, escapeHtml, writeHead } from './head.ts';
import { PAGE_HEADERS, pagePolicy } from './policy.ts';

const NONCE = '__NONCE__';
/** Of the languages we speak. */
const RIGHT_TO_LEFT = new Set(['ar', 'he']);
const TITLE = /<title>[^<]*<\/title>/;

/** The built page for one response: with its own script nonce and the item's head. */
export function pageAnswer(
  build: Build,
  call: PageCall,
  status: number,
  head: PageHead | undefined,
  name: string,
): PageAnswer {
  const nonce = randomBytes(16).toString('base64');
  const { scheme } = call.peer;
  const words = wordsForHeader(call.headers['accept-language']);
  const title = head === undefined ? undefined : `${head.title} · Longwave`;
  const text = build.page
    .replaceAll(NONCE, () => nonce)
    .replace('<html lang="en"', () => `<html lang="${words.spoken}" dir="${directionOf(words.spoken)}"`)
    .replace(TITLE, (before) => (title === undefined ? before : `<title>${escapeHtml(title)}</title>`))
    .replace('<!--head-->', () => (head === undefined ? '' : writeHead(head, nonce)))
    .replace('</head>', () => `${writeFirst(build.first, name, words.spoken, nonce)}</head>`);
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(text),
    // Not cached: the nonce is for this response only.
    cacheControl: 'private, no-cache',
    headers: { ...PAGE_HEADERS, 'Content-Security-Policy': pagePolicy(nonce, scheme) },
  };
}

const directionOf = (language: string): string => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr');

/** What the page will ask for once its program runs, so that browsers ask for it at once. */
function writeFirst({ pages, languages }: FirstFiles, page: string, language: string, nonce: string): string {
  const files = [...(pages.get(page) ?? []), ...[languages.get(language) ?? []].flat()];
  return files
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/listen/${file}" nonce="${nonce}">`
        : `<link rel="modulepreload" crossorigin href="/listen/${file}" nonce="${nonce}">`,
    )
    .join('');
}
