import { randomBytes } from 'node:crypto';
import type { PageAnswer, PageCall } from '../../../net/http/page-endpoint.ts';
import { wordsForHeader } from '../../../core/i18n/locale.ts';
import type { Build } from './build.ts';
import { type PageHead, escapeHtml, writeHead } from './head.ts';
import { PAGE_HEADERS, pagePolicy } from './policy.ts';

const NONCE = '__NONCE__';
const TITLE = /<title>[^<]*<\/title>/;

/** The built page for one response: with its own script nonce and the item's head. */
export function pageAnswer(
  build: Build,
  call: PageCall,
  status: number,
  head: PageHead | undefined,
): PageAnswer {
  const nonce = randomBytes(16).toString('base64');
  const { scheme } = call.peer;
  const words = wordsForHeader(call.headers['accept-language']);
  const title = head === undefined ? undefined : `${head.title} · Longwave`;
  const text = build.page
    .replaceAll(NONCE, () => nonce)
    .replace('<html lang="en"', () => `<html lang="${words.spoken}"`)
    .replace(TITLE, (before) => (title === undefined ? before : `<title>${escapeHtml(title)}</title>`))
    .replace('<!--head-->', () => (head === undefined ? '' : writeHead(head, nonce)));
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(text),
    // Not cached: the nonce is for this response only.
    cacheControl: 'private, no-cache',
    headers: { ...PAGE_HEADERS, 'Content-Security-Policy': pagePolicy(nonce, scheme) },
  };
}
