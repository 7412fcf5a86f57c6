import { RELAY_READY_PATH } from '../core/streams/relay/relay-address.ts';
import type { Log } from '../lib/log.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../net/fetch/policy.ts';

const EVERY_MS = 5000;
const MAX_WAIT_MS = 2000;

/** Asks a relay every few seconds whether radios may be sent to it. */
export class RelayWatch implements Disposable {
  readonly #origin: string;
  readonly #isAlone: boolean;
  readonly #log: Log;
  readonly #fetcher = new SafeFetcher({ policy: operatorsChoice });
  readonly #timer: NodeJS.Timeout;
  #isReady = false;

  /** Of so many relays the one at `http://127.0.0.1:8704`. */
  constructor(origin: string, relays: number, log: Log) {
    this.#origin = origin;
    this.#isAlone = relays === 1;
    this.#log = log;
    this.#timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  readonly isReady = (): boolean => this.#isReady;

  async look(): Promise<void> {
    const wasReady = this.#isReady;
    this.#isReady = await this.#fetcher
      .fetch(`${this.#origin}${RELAY_READY_PATH}`, { deadlineMs: MAX_WAIT_MS })
      .then(
        ({ status }) => status === 200,
        () => false,
      );
    if (this.#isReady === wasReady) return;
    const relay = this.#origin;
    if (this.#isReady)
      this.#log.info({ relay }, 'the relay is ready: stations that radios cannot play go through it');
    else if (this.#isAlone)
      this.#log.warn({ relay }, 'the relay does not answer: radios are sent to what they can play directly');
    else this.#log.warn({ relay }, 'a relay does not answer: radios are sent to the others');
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
