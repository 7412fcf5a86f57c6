import { randomBytes } from 'node:crypto';
import type { PageAnswer, PageCall } from '../http/page-endpoint.ts';
import type { Build } from './build.ts';
import { type PageHead, escapeHtml, writeHead } from './head.ts';
import { PAGE_HEADERS, pagePolicy } from './policy.ts';

const NONCE = '__NONCE__';
const TITLE = /<title>[^<]*<\/title>/;

/** The page that the build wrote, for this one answer: with its own word for scripts, and with the head of its item. */
export function pageAnswer(
  build: Build,
  call: PageCall,
  status: number,
  head: PageHead | undefined,
): PageAnswer {
  const nonce = randomBytes(16).toString('base64');
  const { scheme, words } = call.caller;
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
    // Kept by nobody between: the word for scripts is for this answer alone.
    cacheControl: 'private, no-cache',
    headers: { ...PAGE_HEADERS, 'Content-Security-Policy': pagePolicy(nonce, scheme) },
  };
}
