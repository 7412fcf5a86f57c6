import type { IncomingHttpHeaders } from 'node:http';
import type { ChosenProfile } from '../../../core/devices/profiles.ts';
import type { SerialMemory } from '../../../core/devices/serial-memory.ts';
import type { HotPage } from './hot-page.ts';
import type { NotedCall } from './note-call.ts';
import type { Params } from './params.ts';
import { deviceProfileOf } from './received-call.ts';

/** The device that calls, if it says which it is. */
interface CallingDevice {
  serial: string;
  serialKey: string;
  serials: SerialMemory;
}

/** As much of a call as is noted when its answer was at hand. */
export class HotCall implements NotedCall {
  readonly caller: NotedCall['caller'];
  readonly headers: IncomingHttpHeaders;
  readonly #page: HotPage;
  readonly #device: ChosenProfile | undefined;

  constructor(page: HotPage, address: string, headers: IncomingHttpHeaders, calling?: CallingDevice) {
    const { partner, reading } = page;
    this.#page = page;
    this.headers = headers;
    this.caller = {
      partner,
      partnerId: reading.globals.partnerId,
      serial: calling?.serial,
      securityIp: address,
    };
    // Not lazily: many devices identify themselves when they request menus, but not in the call that plays.
    if (calling) this.#device = calling.serials.settle(calling.serialKey, this.#recognise());
  }

  get path(): string {
    return this.#page.path;
  }

  get what(): string {
    return this.#page.what;
  }

  get params(): Params {
    return this.#page.reading.params;
  }

  get device(): ChosenProfile {
    return this.#device ?? this.#recognise();
  }

  #recognise(): ChosenProfile {
    const { partner, reading } = this.#page;
    const { globals } = reading;
    return deviceProfileOf({ globals, partner, partnerId: globals.partnerId }, this.headers['user-agent']);
  }
}
