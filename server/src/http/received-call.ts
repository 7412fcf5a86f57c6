import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ChosenProfile } from '../devices/choose-profile.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';
import { deviceOf } from './device-of.ts';
import type { Call } from './endpoint.ts';
import type { Params } from './params.ts';
import type { Reading, Render } from './reading.ts';

export class ReceivedCall implements Call {
  readonly params: Params;
  readonly caller: Caller;
  readonly path: string;
  readonly render: Render;
  readonly #request: IncomingMessage;
  readonly #clock: Clock;
  #now: Temporal.Instant | undefined;
  #device: ChosenProfile | undefined;

  constructor(
    { params, render }: Reading,
    caller: Caller,
    path: string,
    request: IncomingMessage,
    clock: Clock,
  ) {
    this.params = params;
    this.caller = caller;
    this.path = path;
    this.render = render;
    this.#request = request;
    this.#clock = clock;
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
    this.#device ??= deviceOf(this.caller, this.#request.headers['user-agent']);
    return this.#device;
  }

  // Read when first asked for: most menus never ask, and an instant costs as much as reading the parameters.
  get now(): Temporal.Instant {
    this.#now ??= this.#clock.now();
    return this.#now;
  }
}
