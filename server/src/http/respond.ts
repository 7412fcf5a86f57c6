import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import { type ByteText, bytesOf } from '../opml/byte-text.ts';
import type { Lifetime } from './endpoint.ts';
import { remember } from './remember.ts';
import { releaseScratch, takeScratch } from './scratch.ts';

export interface Reply {
  status: number;
  contentType: string;
  body: Buffer | ByteText;
  lifetime: Lifetime;
  retryAfterSeconds?: number | undefined;
  location?: string | undefined;
  /** With 304: what the caller has and may keep. */
  etag?: string | undefined;
  /** Of an answer for pages of the site alone: more headers. No other site may read such an answer. */
  ownHeaders?: readonly string[] | undefined;
  /** Ask the caller to come back on a new connection. */
  close?: boolean | undefined;
}

/** Below this a compressed body saves no packet. */
const WORTH_COMPRESSING_BYTES = 1024;

const NOT_MODIFIED = 304;

/** Always with a length and never in chunks: radios exist that can read nothing else. Range is ignored. */
export function respond(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { contentType, lifetime, status } = reply;
  const isCompressible = reply.body.length >= WORTH_COMPRESSING_BYTES && isText(contentType);
  const isGzip = isCompressible && wantsGzip(request.headers['accept-encoding']);
  const body = isGzip ? gzip(reply.body) : reply.body;
  // One flat list, written out: this is every answer, and Node takes it as it is.
  const headers = [
    'Content-Type',
    contentType,
    'Cache-Control',
    cacheControl(lifetime),
    // An answer opened in a browser must be inert text, whatever a station calls itself.
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Referrer-Policy',
    'no-referrer',
  ];
  // The length in a 304 would be that of what is not sent, and radios wait for as much as is announced.
  if (status !== NOT_MODIFIED) headers.push('Content-Length', String(body.length));
  if (reply.etag !== undefined) headers.push('ETag', reply.etag);
  // A page of any site may read what anybody may ask for: no answer depends on a cookie.
  if (reply.ownHeaders) headers.push(...reply.ownHeaders);
  else if (request.headers.origin !== undefined) headers.push('Access-Control-Allow-Origin', '*');
  if (isCompressible) headers.push('Vary', 'Accept-Encoding');
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  if (reply.retryAfterSeconds !== undefined) headers.push('Retry-After', String(reply.retryAfterSeconds));
  if (reply.location !== undefined) headers.push('Location', reply.location);
  if (reply.close === true) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  const bytes = typeof body === 'string' ? inScratch(body) : body;
  response.end(bytes);
  releaseScratch(bytes, response);
}

/** Given to the socket as text, it would be made one text first, and copied once more. */
function inScratch(body: ByteText): Buffer {
  const room = takeScratch(body.length);
  room.write(body, 'latin1');
  return room;
}

/** `no-cache` stands beside `no-store` for the devices that know only the older word. */
function cacheControl({ noStore, maxAgeSeconds, isForAll }: Lifetime): string {
  if (noStore === true) return 'private, no-cache, no-store';
  const whose = isForAll === true ? 'public' : 'private';
  return maxAgeSeconds === undefined ? whose : `${whose}, max-age=${Math.max(0, Math.floor(maxAgeSeconds))}`;
}

/** Playlists stay as they are: the players that read them are the least able to. */
const isText = remember(
  (contentType) => /^(?:text|application)\/(?:xml|json|javascript)/.test(contentType),
  50,
);

/** A plain mention is enough; `gzip;q=0` is a refusal. */
export const wantsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  acceptEncoding !== undefined &&
  /(?:^|[,\s])gzip\s*(?:,|$|;\s*q=(?:1|0\.0{0,2}[1-9]))/i.test(String(acceptEncoding));

/** Whether the caller says that it has these bytes; `*` is anything, and what a proxy has weakened is still the same. */
export const hasAlready = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((known) => ['*', etag].includes(known.trim().replace(/^W\//, '')));

const compressed = new WeakMap<Buffer, Buffer>();

/**
 * Level 1: level 6 costs three and a half times the whole answer and makes it a fourteenth smaller. Bytes that are kept
 * for many callers are compressed once, and that is kept as long as they are.
 */
function gzip(body: Buffer | ByteText): Buffer {
  if (typeof body === 'string') return gzipSync(bytesOf(body), { level: constants.Z_BEST_SPEED });
  let smaller = compressed.get(body);
  if (!smaller) {
    smaller = gzipSync(body, { level: constants.Z_BEST_SPEED });
    compressed.set(body, smaller);
  }
  return smaller;
}
