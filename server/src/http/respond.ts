import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import type { Lifetime } from './endpoint.ts';

export interface Reply {
  status: number;
  contentType: string;
  body: Buffer | string;
  lifetime: Lifetime;
  retryAfterSeconds?: number | undefined;
  location?: string | undefined;
  /** Ask the caller to come back on a new connection. */
  close?: boolean | undefined;
}

/** An answer opened in a browser must be inert text, whatever a station calls itself. */
const SECURITY = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy',
  'no-referrer',
] as const;

/** Below this a compressed body saves no packet. */
const WORTH_COMPRESSING_BYTES = 1024;

/** Always with a length and never in chunks: radios exist that can read nothing else. Range is ignored. */
export function respond(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  let body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  const headers = [
    'Content-Type',
    reply.contentType,
    'Cache-Control',
    cacheControl(reply.lifetime),
    ...SECURITY,
  ];
  if (body.length >= WORTH_COMPRESSING_BYTES && isText(reply.contentType)) {
    headers.push('Vary', 'Accept-Encoding');
    if (wantsGzip(request.headers['accept-encoding'])) {
      body = gzip(body);
      headers.push('Content-Encoding', 'gzip');
    }
  }
  headers.push('Content-Length', String(body.length));
  if (reply.retryAfterSeconds !== undefined) headers.push('Retry-After', String(reply.retryAfterSeconds));
  if (reply.location !== undefined) headers.push('Location', reply.location);
  if (reply.close === true) headers.push('Connection', 'close');
  response.writeHead(reply.status, headers);
  response.end(body);
}

/** `no-cache` stands beside `no-store` for the devices that know only the older word. */
function cacheControl({ noStore, maxAgeSeconds }: Lifetime): string {
  if (noStore === true) return 'private, no-cache, no-store';
  return maxAgeSeconds === undefined
    ? 'private'
    : `private, max-age=${Math.max(0, Math.floor(maxAgeSeconds))}`;
}

/** Playlists stay as they are: the players that read them are the least able to. */
const isText = (contentType: string): boolean =>
  /^(?:text|application)\/(?:xml|json|javascript)/.test(contentType);

/** A plain mention is enough; `gzip;q=0` is a refusal. */
export const wantsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  acceptEncoding !== undefined &&
  /(?:^|[,\s])gzip\s*(?:,|$|;\s*q=(?:1|0\.0{0,2}[1-9]))/i.test(String(acceptEncoding));

/** Level 1: level 6 costs three and a half times the whole answer and makes it a fourteenth smaller. */
const gzip = (body: Buffer): Buffer => gzipSync(body, { level: constants.Z_BEST_SPEED });
