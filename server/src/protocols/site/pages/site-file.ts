import type { PageAnswer, PageCall } from '../../../net/http/endpoints/page-endpoint.ts';
import type { SiteFile } from './build.ts';
import { accepts } from './packed.ts';
import { WORKER_POLICY } from './policy.ts';

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

function encodingOf({ br, gzip }: SiteFile, header: string): 'br' | 'gzip' | undefined {
  if (br && accepts(header, 'br')) return 'br';
  return gzip && accepts(header, 'gzip') ? 'gzip' : undefined;
}
