import { RELAY_READY_PATH } from '../core/streams/relay/relay-address.ts';
import type { Log } from '../lib/log.ts';
import { FetchFailed } from '../net/fetch/fetch-failed.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../net/fetch/policy.ts';

const EVERY_MS = 5000;
const MAX_WAIT_MS = 2000;
/** A busy relay may answer late once; a machine that is gone never answers. */
const MAX_LATE = 1;

/** Asks a relay every few seconds whether radios may be sent to it. */
export class RelayWatch implements Disposable {
  readonly #origin: string;
  readonly #isAlone: boolean;
  readonly #log: Log;
  readonly #fetcher = new SafeFetcher({ policy: operatorsChoice });
  readonly #timer: NodeJS.Timeout;
  readonly #maxWaitMs: number;
  #isReady = false;
  #late = 0;

  /** Of so many relays the one at `http://127.0.0.1:8704`. */
  constructor(origin: string, relays: number, log: Log, maxWaitMs = MAX_WAIT_MS) {
    this.#origin = origin;
    this.#isAlone = relays === 1;
    this.#log = log;
    this.#maxWaitMs = maxWaitMs;
    this.#timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  readonly isReady = (): boolean => this.#isReady;

  async look(): Promise<void> {
    const wasReady = this.#isReady;
    const found = await this.#ask();
    this.#late = found === 'late' ? this.#late + 1 : 0;
    this.#isReady = found === 'late' ? wasReady && this.#late <= MAX_LATE : found === 'ready';
    if (this.#isReady === wasReady) return;
    const relay = this.#origin;
    if (this.#isReady)
      this.#log.info({ relay }, 'the relay is ready: stations that radios cannot play go through it');
    else if (this.#isAlone)
      this.#log.warn({ relay }, 'the relay does not answer: radios are sent to what they can play directly');
    else this.#log.warn({ relay }, 'a relay does not answer: radios are sent to the others');
  }

  async #ask(): Promise<'ready' | 'away' | 'late'> {
    const url = `${this.#origin}${RELAY_READY_PATH}`;
    try {
      const { status } = await this.#fetcher.fetch(url, { deadlineMs: this.#maxWaitMs });
      return status === 200 ? 'ready' : 'away';
    } catch (error) {
      return error instanceof FetchFailed && error.isLate ? 'late' : 'away';
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
