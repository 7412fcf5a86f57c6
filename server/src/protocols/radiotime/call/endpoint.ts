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
  /**
   * Set where it depends on nothing of the caller but parameters, language, partner and place: makes what tells whether it is still
   * the same. That may be kept: it holds no directory that has been replaced.
   */
  watch?: (() => MenuWatch) | undefined;
}

/** Tells whether who asks in the same words gets the same menu. */
export interface MenuWatch extends Partial<MoreWatched> {
  /** Whether the directory, what is on air and what plays are still the same, for every menu. */
  isCurrent: () => boolean;
}

/** Of a menu that shows more than the directory. */
export interface MoreWatched {
  /** Whether that is still the same. */
  isSame: () => boolean;
  /** Whether a listener at this address has the place that it is made for. */
  isNear: (geoIp: string) => boolean;
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
  /** Whether a device is known to have no saved items, where those are marked in answers. */
  savesNothing?: ((serialKey: string) => boolean) | undefined;
  /** The action for a `c` that is not in the table; without it such a call is an unknown method. */
  fallback?: ((call: Call) => Action | undefined) | undefined;
  /** The same before anything is marked for one caller: what callers may share. */
  shared?: Endpoint | undefined;
}
