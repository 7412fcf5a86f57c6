import type { Budgets } from '../../../core/accounts/budgets.ts';
import type { Passwords } from '../../../core/accounts/login/passwords.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import type { OnAirBoard } from '../../../core/directory/live/on-air-board.ts';
import type { Listings } from '../../../core/directory/listing/listings.ts';
import type { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import type { PlayingBoard } from '../../../core/now-playing/playing-board.ts';
import type { CallerPlaces } from '../../../core/places/caller-places.ts';
import type { Finder } from '../../../core/search/finder.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Mailer } from '../../../net/mailer.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { SiteAnswer, SiteCall, SiteMethod } from '../session/site-endpoint.ts';

export interface SiteApiDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  /** For searches, which may miss what was saved seconds ago; `db` unless told. */
  reads?: Queryable | undefined;
  aliases: Pick<Aliases, 'find'>;
  /** Searches know where the listener is. */
  places?: Pick<CallerPlaces, 'of'> | undefined;
  /** Lists say what is on. */
  playing?: Pick<PlayingBoard, 'songOf'> | undefined;
  onAirBoard?: Pick<OnAirBoard, 'on'> | undefined;
  /** Undefined when the operator has not set up accounts. */
  members?: MemberAccess | undefined;
  passwords?: Passwords | undefined;
  /** Shared with the RadioTime protocol. */
  budgets?: Budgets | undefined;
  clock?: Clock | undefined;
  /** Undefined when the operator has not set up a mail server. */
  mailer?: Mailer | undefined;
  /** Hosts configured by the operator; the first is the site's own, if it has one. */
  siteHost?: string | undefined;
  publicHosts?: readonly string[] | undefined;
}

/** Account services, when accounts are set up. */
export interface Members extends MemberAccess {
  passwords: Passwords;
  budgets: Budgets;
  clock: Clock;
}

type Given =
  | 'directory'
  | 'db'
  | 'aliases'
  | 'places'
  | 'playing'
  | 'onAirBoard'
  | 'mailer'
  | 'siteHost'
  | 'publicHosts';

export interface SiteApiContext extends Pick<SiteApiDeps, Given> {
  finder: Finder;
  listings: Listings;
  members: Members | undefined;
  /** Takes from the limits of a caller's network and of all suggestions, or throws. */
  admitSuggestion: (address: string) => void;
  /** Takes from an account's rate limit, or throws. */
  takeFrom: (kind: 'write' | 'pair', accountId: number) => void;
}

/** A call with a valid session. */
export interface MemberCall extends SiteCall {
  accountId: number;
  members: Members;
}

interface RouteFacts {
  method: SiteMethod;
  /** Relative to `/listen/api/`. */
  path: string;
  /** Description for docs/site-api.md. */
  does: string;
}

type Result = Promise<SiteAnswer> | SiteAnswer;

type Answering<Call> = (call: Call, context: SiteApiContext) => Result;

/** What answers a route, by whom the route is for. */
export interface SiteAnswers {
  anyone: Answering<SiteCall>;
  /** Anybody, but only where accounts are set up. */
  visitor: Answering<SiteCall & { members: Members }>;
  member: Answering<MemberCall>;
  /** A member who looks after the installation. */
  operator: Answering<MemberCall>;
}

export type SiteRoute = {
  [Who in keyof SiteAnswers]: RouteFacts & { who: Who; answer: SiteAnswers[Who] };
}[keyof SiteAnswers];
