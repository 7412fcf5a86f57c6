import { RELAY_READY_PATH } from '../core/streams/relay/relay-address.ts';
import type { Log } from '../lib/log.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../net/fetch/policy.ts';

const EVERY_MS = 5000;
const MAX_WAIT_MS = 2000;

/** Asks a relay every few seconds whether radios may be sent to it. */
export class RelayWatch implements Disposable {
  readonly #address: string;
  readonly #log: Log;
  readonly #fetcher = new SafeFetcher({ policy: operatorsChoice });
  readonly #timer: NodeJS.Timeout;
  #isReady = false;

  /** `http://127.0.0.1:8704` */
  constructor(origin: string, log: Log) {
    this.#address = `${origin}${RELAY_READY_PATH}`;
    this.#log = log;
    this.#timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  readonly isReady = (): boolean => this.#isReady;

  async look(): Promise<void> {
    const wasReady = this.#isReady;
    this.#isReady = await this.#fetcher.fetch(this.#address, { deadlineMs: MAX_WAIT_MS }).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (this.#isReady === wasReady) return;
    if (this.#isReady) this.#log.info('the relay is ready: stations that radios cannot play go through it');
    else this.#log.warn('the relay does not answer: radios are sent to what they can play directly');
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
