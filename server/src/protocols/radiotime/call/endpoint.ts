import type { IncomingHttpHeaders } from 'node:http';
import type { ChosenProfile } from '../../../core/devices/profiles.ts';
import type { SavedIds } from '../../../formats/opml/compile.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import type { Lifetime } from '../../../net/http/respond.ts';
import type { Caller } from './caller.ts';
import type { Params } from './params.ts';
import type { Render } from './parse-query.ts';

/** The input of every action. */
export interface Call {
  readonly params: Params;
  readonly caller: Caller;
  /** The endpoint's canonical path. */
  readonly path: string;
  /** The path as requested, without the query; for endpoints that serve many files. */
  readonly askedPath: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly render: Render;
  /** Identifies the calling device while this process runs: a hash of its serial. */
  readonly serialKey: string | undefined;
  /** The kind of device. */
  readonly device: ChosenProfile;
  /** When the call arrived; constant during the call. */
  readonly now: Temporal.Instant;
}

/** A document that is cached in compiled form and shared by many callers. */
export interface MenuAnswer extends Lifetime {
  /** Cache key: everything the document depends on, including the directory's version, but nothing of the caller. */
  menu: string;
  /** Builds it on a cache miss. */
  document: () => OpmlDocument;
}

/** Lines of a playlist. The content type is sent as is: players reject `audio/x-mpegurl; charset=utf-8`. */
interface PlaylistAnswer extends Lifetime {
  playlist: readonly string[];
  contentType: string;
}

interface BytesAnswer extends Lifetime {
  bytes: Buffer;
  contentType: string;
  /** In quotes; a caller that already has these bytes gets a 304. */
  etag?: string | undefined;
}

/** Redirects the caller; only for browsers, since radios do not follow redirects. */
interface RedirectAnswer extends Lifetime {
  redirect: string;
}

/** The caller's saved items, if any, to be marked in the answer. */
interface ForWhoSaved {
  saved?: SavedIds | undefined;
}

/** Why a player gets something else than it asked for; only for the record of its calls. */
interface WithTrouble {
  trouble?: { status: number; code: string | undefined; text: string } | undefined;
}

export type Answer = ForWhoSaved &
  WithTrouble &
  ((OpmlDocument & Lifetime) | MenuAnswer | PlaylistAnswer | BytesAnswer | RedirectAnswer);

/** Says that it was done, and nothing else. */
export const DONE: Answer = { outlines: [], noStore: true };

export type Action = (call: Call) => Answer | Promise<Answer>;

/** An endpoint. The `c` parameter, in lower case, selects the action; '' when absent. */
export interface Endpoint {
  /** Links use the first; the others are aliases. Case-insensitive. */
  paths: readonly [string, ...string[]];
  actions: ReadonlyMap<string, Action>;
  /** For files that are linked without any parameter, so no partnerId is required. */
  isForAnyone?: boolean | undefined;
  /** The action for a `c` that is not in the table; without it such a call is an unknown method. */
  fallback?: ((call: Call) => Action | undefined) | undefined;
}
