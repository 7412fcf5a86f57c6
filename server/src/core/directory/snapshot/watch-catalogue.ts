import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { CATALOGUE_CHANNEL } from '../../../storage/catalog/stations/version.ts';

interface WatchOptions {
  databaseUrl: string;
  log: Log;
  /** Called when the catalogue changed, and after each connect, since a notification may have been missed. */
  onChange: () => void;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;
const CONNECT_MS = 5000;

/**
 * Listens on a connection of its own and reconnects with growing delays until disposed. It does not detect a connection
 * that dies silently; the directory polls for that.
 */
export function watchCatalogue(options: WatchOptions): AsyncDisposable {
  const stop = new AbortController();
  const done = keepListening(options, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await done;
    },
  };
}

async function keepListening(options: WatchOptions, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const listened = await listenOnce(options, signal);
    if (signal.aborted) return;
    waitMs = listened ? FIRST_WAIT_MS : Math.min(waitMs * 2, MAX_WAIT_MS);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Resolves when the connection ends, to whether there was one. */
async function listenOnce(
  { databaseUrl, log, onChange }: WatchOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'longwave directory',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  // Does not wait for the server's reply: a server that vanished would never send one.
  const close = (): void => {
    void client.end().catch(() => undefined);
    end();
  };
  client.once('end', () => end());
  client.on('error', (err) => log.debug({ err }, 'the LISTEN connection broke'));
  client.on('notification', onChange);
  signal.addEventListener('abort', close);
  try {
    // A client that is ended while connecting never emits `end`.
    await Promise.race([client.connect(), ended]);
    signal.throwIfAborted();
    await client.query(`LISTEN ${CATALOGUE_CHANNEL}`);
    onChange();
    await ended;
    return true;
  } catch (err) {
    log.debug({ err }, 'no LISTEN connection; the directory polls for changes meanwhile');
    return false;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/**
 * Runs work that is triggered often: never concurrently, not again within a pause after a run, and always once more
 * after the last trigger.
 */
export class CoalescedTask implements AsyncDisposable {
  readonly #work: () => Promise<boolean>;
  readonly #pauseMs: number;
  readonly #clock: Clock;
  #restingUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #askedMeanwhile = false;
  #stopped = false;

  /** `work` must not reject; it resolves to whether there was anything to do, and so whether to pause. */
  constructor(work: () => Promise<boolean>, pauseMs: number, clock: Clock) {
    this.#work = work;
    this.#pauseMs = pauseMs;
    this.#clock = clock;
  }

  ask(): void {
    if (this.#stopped || this.#timer) return;
    if (this.#running) this.#askedMeanwhile = true;
    else
      this.#timer = setTimeout(
        () => this.#start(),
        Math.max(0, this.#restingUntilMs - this.#clock.elapsedMs()),
      );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#timer = undefined;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    if (await this.#work()) this.#restingUntilMs = this.#clock.elapsedMs() + this.#pauseMs;
    this.#running = undefined;
    if (!this.#askedMeanwhile) return;
    this.#askedMeanwhile = false;
    this.ask();
  }
}
