import type { Caller } from './caller.ts';
import type { Lifetime } from './endpoint.ts';

export type SiteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the site's own pages. */
export interface SiteCall {
  /** The parts of the path that stand for something. */
  path: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** What was sent as JSON; undefined when that was nothing. */
  body: unknown;
  caller: Caller;
  /** What the session's cookie holds. Nothing else of the service reads a cookie. */
  sessionToken: string | undefined;
  userAgent: string;
  now: Temporal.Instant;
}

export interface SiteAnswer extends Lifetime {
  /** 200 unless told. */
  status?: number | undefined;
  json?: unknown;
  /** Instead of JSON; with a name, to be saved under it. */
  file?: { bytes: Buffer; contentType: string; name?: string | undefined } | undefined;
  etag?: string | undefined;
  /** What the cookie holds from now on; null for nothing. */
  session?: string | null | undefined;
}

/** What a page of the site asks for, by a method and a path with `:name` for a part that stands for something. */
export interface SiteEndpoint {
  method: SiteMethod;
  path: string;
  answer: (call: SiteCall) => Promise<SiteAnswer> | SiteAnswer;
}
