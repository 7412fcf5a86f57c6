import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ChosenProfile } from '../devices/choose-profile.ts';
import type { SerialMemory } from '../devices/serial-memory.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';
import { deviceOf, serialOf } from './device-of.ts';
import type { Call } from './endpoint.ts';
import type { Params } from './params.ts';
import type { Reading, Render } from './reading.ts';

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
    { params, render }: Reading,
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
    // Not when first asked for: many say what they are with menus, and nothing with the call that plays.
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

  // Looked for when first asked for: most answers are the same to every device.
  get device(): ChosenProfile {
    this.#device ??= this.#recognise();
    return this.#device;
  }

  #recognise(): ChosenProfile {
    const told = deviceOf(this.caller, this.#request.headers['user-agent']);
    return this.#serials?.settle(this.serialKey, told) ?? told;
  }

  // Read when first asked for: most menus never ask, and an instant costs as much as reading the parameters.
  get now(): Temporal.Instant {
    this.#now ??= this.#clock.now();
    return this.#now;
  }
}
