import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import { bytesOf, type ByteText } from '../../formats/opml/byte-text.ts';
import { memoize } from '../../lib/memoize.ts';

/** How long the caller may cache an answer. Unset: the caller decides. */
export interface Lifetime {
  maxAgeSeconds?: number | undefined;
  /** Whether shared caches may store it too: only for answers that are the same for everybody. */
  isForAll?: boolean | undefined;
  noStore?: boolean | undefined;
}

export interface Reply {
  status: number;
  contentType: string;
  body: Buffer | ByteText;
  lifetime: Lifetime;
  retryAfterSeconds?: number | undefined;
  location?: string | undefined;
  /** With 304: identifies the copy the caller has. */
  etag?: string | undefined;
  /** Extra headers of an answer for the site's own pages. Other sites may not read such an answer. */
  ownHeaders?: readonly string[] | undefined;
  /** Asks the caller to open a new connection. */
  close?: boolean | undefined;
}

/** Below this a compressed body saves no packet. */
const WORTH_COMPRESSING_BYTES = 1024;

const NOT_MODIFIED = 304;
const TEXT = 'text/plain; charset=utf-8';

/** A line of plain text, outside any protocol. */
export const textReply = (status: number, text: string, more: Partial<Reply> = {}): Reply => ({
  status,
  contentType: TEXT,
  body: Buffer.from(text),
  lifetime: { noStore: true },
  ...more,
});

/** Always with a length and never in chunks: radios exist that can read nothing else. Range is ignored. */
export function respond(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { lifetime, status } = reply;
  const isCompressible = reply.body.length >= WORTH_COMPRESSING_BYTES && isText(reply.contentType);
  const isGzip = isCompressible && wantsGzip(request.headers['accept-encoding']);
  const body = isGzip ? gzip(reply.body) : reply.body;
  const headers = headersOf(reply);
  // Radios wait for the announced length, which a 304 never sends.
  if (status !== NOT_MODIFIED) headers.push('Content-Length', String(body.length));
  if (reply.etag !== undefined) headers.push('ETag', reply.etag);
  // Any site may read public answers: none of them depends on a cookie.
  if (reply.ownHeaders) headers.push(...reply.ownHeaders);
  else if (request.headers.origin !== undefined) headers.push('Access-Control-Allow-Origin', '*');
  // Private answers need no Vary: only the client that asked caches them.
  if (isGzip || (isCompressible && lifetime.isForAll === true)) headers.push('Vary', 'Accept-Encoding');
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  if (reply.retryAfterSeconds !== undefined) headers.push('Retry-After', String(reply.retryAfterSeconds));
  // Only redirects can leak a Referer: links in sandboxed text cannot be followed.
  if (reply.location !== undefined)
    headers.push('Location', reply.location, 'Referrer-Policy', 'no-referrer');
  if (reply.close === true) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  const bytes = typeof body === 'string' ? inScratch(body) : body;
  response.end(bytes);
  releaseScratch(bytes, response);
}

/** The headers of every answer: one flat list, which Node accepts as it is. */
export const headersOf = ({ contentType, lifetime }: Pick<Reply, 'contentType' | 'lifetime'>): string[] => [
  'Content-Type',
  contentType,
  'Cache-Control',
  cacheControl(lifetime),
  // An answer opened in a browser must be inert text, whatever a station calls itself.
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; sandbox",
];

/** Passed to the socket as strings it would be joined and copied once more. */
function inScratch(body: ByteText): Buffer {
  const room = takeScratch(body.length);
  room.write(body, 'latin1');
  return room;
}

/** `no-cache` beside `no-store`, for devices that only know the older directive. */
function cacheControl({ noStore, maxAgeSeconds, isForAll }: Lifetime): string {
  if (noStore === true) return 'private, no-cache, no-store';
  const whose = isForAll === true ? 'public' : 'private';
  return maxAgeSeconds === undefined ? whose : `${whose}, max-age=${Math.max(0, Math.floor(maxAgeSeconds))}`;
}

/** Playlists are not compressed: the players that read them are the least able to decompress. */
export const isText = memoize(
  (contentType) => /^(?:text|application)\/(?:xml|json|javascript)/.test(contentType),
  50,
);

/** Naming it is enough; `gzip;q=0` is a refusal. */
export const wantsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  acceptEncoding !== undefined &&
  /(?:^|[,\s])gzip\s*(?:,|$|;\s*q=(?:1|0\.0{0,2}[1-9]))/i.test(String(acceptEncoding));

/** Whether If-None-Match names these bytes; `*` matches anything, and weak tags (W/) of proxies count as equal. */
export const hasAlready = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((known) => ['*', etag].includes(known.trim().replace(/^W\//, '')));

const compressed = new WeakMap<Buffer, Buffer>();

/**
 * Level 1: level 6 takes three and a half times as long as the whole answer and makes it a fourteenth smaller. Cached
 * bytes are compressed once, and the result is cached with them.
 */
function gzip(body: Buffer | ByteText): Buffer {
  return typeof body === 'string' ? compress(bytesOf(body)) : compressed.getOrInsertComputed(body, compress);
}

const compress = (body: Buffer): Buffer => gzipSync(body, { level: constants.Z_BEST_SPEED });

/** Most answers fit; larger ones get their own buffer. */
const SCRATCH_BYTES = 64 * 1024;

let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
/** Everything before this offset may still be read by pending answers. */
let free = 0;

/**
 * A buffer for one answer, to be filled and sent synchronously. The same memory is reused, so it stays in the
 * processor's cache and creates no garbage.
 */
export function takeScratch(length: number): Buffer {
  if (length > SCRATCH_BYTES) return Buffer.allocUnsafeSlow(length);
  if (length > SCRATCH_BYTES - free) [scratch, free] = [Buffer.allocUnsafeSlow(SCRATCH_BYTES), 0];
  return scratch.subarray(free, free + length);
}

/**
 * Call after passing an answer to its socket. If the system has not taken every byte, that part of the buffer is left
 * to the pending write, and no more than that: a thousand small unread answers must not hold a thousand buffers. A
 * pipelined answer has no socket yet.
 */
function releaseScratch(room: Buffer, { socket, writableLength }: ServerResponse): void {
  if (room.buffer !== scratch.buffer) return;
  const isTaken = socket !== null && socket.writableLength === 0 && writableLength === 0;
  if (!isTaken) free += room.length;
}
