import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { chooseProfile, type ChosenProfile, profileOfUserAgent } from '../../../core/devices/profiles.ts';
import type { SerialMemory } from '../../../core/devices/serial-memory.ts';
import type { Clock } from '../../../lib/clock.ts';
import { memoize } from '../../../lib/memoize.ts';
import type { Caller } from './caller.ts';
import type { Call } from './endpoint.ts';
import type { Params } from './params.ts';
import type { ParsedQuery, Render } from './parse-query.ts';

export class ReceivedCall implements Call {
  readonly params: Params;
  readonly caller: Caller;
  readonly path: string;
  readonly render: Render;
  readonly serialKey: string | undefined;
  readonly #request: IncomingMessage;
  readonly #clock: Clock;
  readonly #serials: SerialMemory | undefined;
  #now: Temporal.Instant | undefined;
  #device: ChosenProfile | undefined;

  constructor(
    { params, render }: ParsedQuery,
    caller: Caller,
    path: string,
    request: IncomingMessage,
    clock: Clock,
    serials?: SerialMemory,
  ) {
    this.params = params;
    this.caller = caller;
    this.path = path;
    this.render = render;
    this.#request = request;
    this.#clock = clock;
    this.#serials = serials;
    const serial = serialOf(caller);
    this.serialKey = serial === undefined ? undefined : serials?.keyOf(serial);
    // Not lazily: many devices identify themselves when they request menus, but not in the call that plays.
    if (this.serialKey !== undefined) this.#device = this.#recognise();
  }

  get askedPath(): string {
    const [path = ''] = (this.#request.url ?? '').split('?', 1);
    return path;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  // Determined on first use: most answers are the same for every device.
  get device(): ChosenProfile {
    this.#device ??= this.#recognise();
    return this.#device;
  }

  #recognise(): ChosenProfile {
    const given = deviceProfileOf(this.caller, this.#request.headers['user-agent']);
    return this.#serials?.settle(this.serialKey, given) ?? given;
  }

  // Read on first use: most menus never need it, and an instant costs as much as parsing the parameters.
  get now(): Temporal.Instant {
    this.#now ??= this.#clock.now();
    return this.#now;
  }
}

const byUserAgent = memoize(profileOfUserAgent);
/** Longer ones come from fuzzers. */
const MAX_USER_AGENT_LENGTH = 400;

/** The kind of device, as far as the call itself tells. */
export function deviceProfileOf(
  { globals, partner, partnerId }: Pick<Caller, 'globals' | 'partner' | 'partnerId'>,
  userAgent: string | undefined,
): ChosenProfile {
  return chooseProfile({
    device: globals.device,
    partnerDevice: partner?.device,
    partnerId,
    byUserAgent: userAgent === undefined ? null : byUserAgent(userAgent.slice(0, MAX_USER_AGENT_LENGTH)),
    formats: globals.formats,
  });
}

/** Scoped by partner, as everywhere. */
const serialOf = ({ partnerId, serial }: Caller): string | undefined =>
  serial === undefined ? undefined : `${partnerId} ${serial}`;
