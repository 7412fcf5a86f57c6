import type { IncomingHttpHeaders } from 'node:http';
import type { ChosenProfile } from '../devices/choose-profile.ts';
import type { OpmlDocument } from '../opml/document.ts';
import type { SavedIds } from '../opml/mark-saved.ts';
import type { Caller } from './caller.ts';
import type { Params } from './params.ts';
import type { Render } from './reading.ts';

/** What every action is given. */
export interface Call {
  readonly params: Params;
  readonly caller: Caller;
  /** The endpoint's first path, however the caller spelled it. */
  readonly path: string;
  /** The path as the caller wrote it, without the query; for an endpoint that stands for many files. */
  readonly askedPath: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly render: Render;
  /** What the device that sent it is known by as long as this process runs: a hash of its serial. */
  readonly serialKey: string | undefined;
  /** What kind of device sent it. */
  readonly device: ChosenProfile;
  /** When the call came; the same moment however often it is asked. */
  readonly now: Temporal.Instant;
}

/** How long an answer may be kept by whoever asked. Unsaid: it is theirs to decide. */
export interface Lifetime {
  maxAgeSeconds?: number | undefined;
  /** Whether those between may keep it too, and give it to others: only for what is the same for everybody. */
  isForAll?: boolean | undefined;
  noStore?: boolean | undefined;
}

/** A document that many callers get, and that is kept compiled for them all. */
export interface MenuAnswer extends Lifetime {
  /** Names the document by everything it depends on, the directory's version included; nothing of the caller. */
  menu: string;
  /** Makes it, when it is not at hand. */
  document: () => OpmlDocument;
}

/** Lines of a playlist. The type goes out as it is: a player refuses `audio/x-mpegurl; charset=utf-8`. */
export interface PlaylistAnswer extends Lifetime {
  playlist: readonly string[];
  contentType: string;
}

export interface BytesAnswer extends Lifetime {
  bytes: Buffer;
  contentType: string;
  /** Names these bytes, in quotes; who has them already is told so, and not sent them again. */
  etag?: string | undefined;
}

/** Sends the caller elsewhere; for people's browsers, since radios do not follow. */
export interface RedirectAnswer extends Lifetime {
  redirect: string;
}

/** What the caller has saved, where it has saved anything; lines of those say so. */
export interface ForWhoSaved {
  saved?: SavedIds | undefined;
}

export type Answer = ForWhoSaved &
  ((OpmlDocument & Lifetime) | MenuAnswer | PlaylistAnswer | BytesAnswer | RedirectAnswer);

export type Action = (call: Call) => Answer | Promise<Answer>;

/** One thing the service does. Its actions are chosen by the `c` parameter, in lower case; '' when there is none. */
export interface Endpoint {
  /** The first is the one links use; the others answer the same. Letters of either case match. */
  paths: readonly [string, ...string[]];
  actions: ReadonlyMap<string, Action>;
  /** For files that links name without any parameter: whoever asks for one is no application. */
  isForAnyone?: boolean | undefined;
  /** The action for a `c` that the table does not have; without it such a call is an unknown method. */
  fallback?: ((call: Call) => Action | undefined) | undefined;
}
