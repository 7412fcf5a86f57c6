import type { Words } from '../../../core/i18n/words.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson, TooDeep } from '../../../lib/parse-json.ts';
import type { Peer } from '../../../net/http/caller/peer.ts';
import type { Lifetime } from '../../../net/http/respond.ts';

export type SiteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The sender of a site call and its language. */
export interface SiteCaller extends Peer {
  words: Words;
  /** Whether both ends of the call are on this machine or in one home. */
  isAtHome: boolean;
}

/** One call of the site's own pages. */
export interface SiteCall {
  /** The named parts of the path. */
  path: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** The JSON body; undefined when empty. */
  body: unknown;
  caller: SiteCaller;
  /** The session cookie's value. Nothing else in the service reads cookies. */
  sessionToken: string | undefined;
  userAgent: string;
  now: Temporal.Instant;
}

export interface SiteAnswer extends Lifetime {
  /** 200 by default. */
  status?: number | undefined;
  json?: unknown;
  /** Sent instead of JSON; with a name, as a download. */
  file?: { bytes: Buffer; contentType: string; name?: string | undefined } | undefined;
  etag?: string | undefined;
  /** The new value of the session cookie; null deletes it. */
  session?: string | null | undefined;
}

/** A site call, by method and path with `:name` for variable parts. */
export interface SiteEndpoint {
  method: SiteMethod;
  path: string;
  answer: (call: SiteCall) => Promise<SiteAnswer> | SiteAnswer;
}

/** An error of the site's API, sent with its own HTTP status; it may name the invalid field. */
export class SiteFault extends Fault {
  override name = 'SiteFault';
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(status, code, message);
    this.field = field;
  }
}

export const MAX_BODY_BYTES = 64 * 1024;

/** The parsed JSON body; undefined when empty. */
export function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof TooDeep) throw new SiteFault(400, 'site.tooDeep', `The body is ${error.message}`);
    throw new SiteFault(400, 'site.notJson', 'The body is not JSON; check its quotes and commas');
  }
}

/** Translates the framework's body errors into faults. */
export function asSiteFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new SiteFault(
      413,
      'site.tooLarge',
      `The body is larger than ${MAX_BODY_BYTES} bytes; send less per call`,
    );
  return error;
}
