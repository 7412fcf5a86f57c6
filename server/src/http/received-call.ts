import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './caller.ts';
import type { Call, Render } from './endpoint.ts';
import type { Params } from './params.ts';

export class ReceivedCall implements Call {
  readonly params: Params;
  readonly caller: Caller;
  readonly path: string;
  readonly render: Render;
  readonly #request: IncomingMessage;
  readonly #clock: Clock;
  #now: Temporal.Instant | undefined;

  constructor(params: Params, caller: Caller, path: string, request: IncomingMessage, clock: Clock) {
    this.params = params;
    this.caller = caller;
    this.path = path;
    this.render = renderOf(params);
    this.#request = request;
    this.#clock = clock;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  // Read when first asked for: most menus never ask, and an instant costs as much as reading the parameters.
  get now(): Temporal.Instant {
    this.#now ??= this.#clock.now();
    return this.#now;
  }
}

export const renderOf = (params: Params): Render =>
  params.text('render')?.toLowerCase() === 'json' ? 'json' : 'xml';
