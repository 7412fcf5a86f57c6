import type { IncomingHttpHeaders } from 'node:http';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { type ChosenProfile, findProfile } from '../../../core/devices/profiles.ts';
import { wordsFor } from '../../../core/i18n/words.ts';
import type { Globals } from '../../../formats/opml/links.ts';
import { Fault } from '../../../lib/fault.ts';
import { memoize } from '../../../lib/memoize.ts';
import type { Caller } from '../call/caller.ts';
import type { Call } from '../call/endpoint.ts';
import { Params, type Parse } from '../call/params.ts';
import type { Render } from '../call/parse-query.ts';
import { type CallerClass, UNTOLD } from './caller-class.ts';

/** Thrown where an action asks for something in which callers of one class differ. */
export class NotShared extends Fault {
  readonly what: string;

  constructor(what: string) {
    super(404, undefined, `Callers differ in ${what}`);
    this.what = what;
  }
}

/** The parameters that a shared menu may depend on. */
export const MENU_PARAMS = ['c', 'id', 'filter', 'offset', 'pivot', 'detail', 'render'] as const;
const SHAREABLE: ReadonlySet<string> = new Set(MENU_PARAMS);

/** All others count as unknown until somebody asks for one. */
class SharedParams extends Params {
  override text(name: Lowercase<string>): string | undefined {
    return super.text(shareable(name));
  }

  override has(name: Lowercase<string>): boolean {
    return super.has(shareable(name));
  }

  override isMentioned(name: string): boolean {
    return refuse(name);
  }

  override optional<T>(name: string, parse: Parse<T>, code?: string): T | undefined {
    return super.optional(shareable(name), parse, code);
  }

  override isInQuery(name: string): boolean {
    return refuse(name);
  }
}

const shareable = <T extends string>(name: T): T => (SHAREABLE.has(name.toLowerCase()) ? name : refuse(name));

function refuse(name: string): never {
  throw new NotShared(name);
}

/**
 * An object of which only these properties can be read: every other one, also one that is added to its type in years to
 * come, ends the call instead of being taken to be the same for everybody.
 */
const only = <T extends object>(known: Partial<T>): T =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- what is missing is refused when it is read
  new Proxy(known, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : refuse(String(name))),
    has: (_target, name) => refuse(String(name)),
    ownKeys: () => refuse('everything'),
  }) as T;

const wordsOf = memoize(wordsFor);

/** The call of a whole class of callers: what they have in common, and nothing else. */
export interface SharedAsk {
  path: string;
  values: ReadonlyMap<string, string>;
  render: Render;
  of: CallerClass;
  now: Temporal.Instant;
}

export const sharedCall = ({ path, values, render, of, now }: SharedAsk): Call =>
  only<Call>({
    path,
    render,
    now,
    method: 'GET',
    params: new SharedParams(values),
    caller: sharedCaller(of),
    headers: only<IncomingHttpHeaders>({}),
    ...(of.device !== undefined && { device: deviceOf(of.device) }),
  });

const sharedCaller = ({ formats, language, partner, device, isNamed, cell }: CallerClass): Caller =>
  only<Caller>({
    formats,
    words: wordsOf(language),
    partner:
      partner &&
      only<PartnerRow>({
        stations_per_group: partner.stationsPerGroup,
        shows_per_group: partner.showsPerGroup,
      }),
    isNamed,
    globals: only<Globals>({ device }),
    ...(cell !== UNTOLD && { cell: cell ?? null }),
  });

function deviceOf(id: string): ChosenProfile {
  const profile = findProfile(id);
  return profile ? { profile, source: 'device' } : refuse('device');
}
