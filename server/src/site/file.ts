import type { PageAnswer, PageCall } from '../http/page-endpoint.ts';
import type { SiteFile } from './build.ts';
import { WORKER_POLICY } from './policy.ts';

const YEAR = 'public, max-age=31536000, immutable';
/** What keeps its name when it changes is asked for anew each time, by its tag. */
const ASK_AGAIN = 'no-cache';

export function fileAnswer(file: SiteFile, path: string, { headers }: PageCall): PageAnswer {
  const encoding = encodingOf(file, headers['accept-encoding'] ?? '');
  return {
    status: 200,
    contentType: file.contentType,
    body: (encoding === 'br' ? file.br : encoding === 'gzip' ? file.gzip : undefined) ?? file.bytes,
    encoding,
    cacheControl: file.isHashed ? YEAR : ASK_AGAIN,
    // One tag for what the bytes are, another for each way they are packed.
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
