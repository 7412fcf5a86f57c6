import { pause } from '../../lib/clock.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { tuneInFailureOf } from '../../net/tuner/failure.ts';
import type { BodyTaker } from '../../net/tuner/stream-reader.ts';
import { tuneIn } from '../../net/tuner/tune-in.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import type { TunedIn } from '../../net/tuner/tuned-in.ts';

/**
 * One connection to a station, for as long as somebody listens. When it ends, breaks or falls silent it is made again from
 * the station's own address, because what that leads to is often good for some hours only:
 *
 *   connect -> sound -> (end, error, 5 s without a byte) -> pause -> connect …
 *
 * Pauses grow from nothing to eight seconds. The count begins anew only after ten seconds of sound: a station that sends
 * half a second and hangs up must not be called twice a second. After five minutes without sound it is given up, and at
 * once if the station says that there is nothing to hear.
 */

const PAUSES_MS = [0, 500, 1000, 2000, 4000, 8000];
const SOUND_MS = 10_000;
const STALL_MS = 5000;
const GIVE_UP_MS = 300_000;
/** A station that says so says it to everybody who asks again. */
const FINAL: ReadonlySet<string> = new Set(['http_401', 'http_403', 'http_404', 'geo', 'page']);

/** What a listener gets of it. */
export interface Sound extends Pick<BodyTaker, 'title'> {
  /** A connection was made: the first one, or another one after a gap. */
  begins(tuned: TunedIn): void;
  /** Must copy what it keeps. */
  body(piece: Buffer): void;
  /** Nothing arrives for the moment. */
  lost(why: string): void;
}

export interface UpstreamOptions {
  fetcher: SafeFetcher;
  address: string;
  /** Lines of the request that say who asks for whom. */
  headers: readonly string[];
  userAgent: string;
  /** Ends it. */
  signal: AbortSignal;
}

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #sound: Sound;
  /** Ends the present connection, if there is one. */
  #hangUp: ((why: string) => void) | undefined;
  #lastByteMs = 0;

  constructor(options: UpstreamOptions, sound: Sound) {
    this.#options = options;
    this.#sound = sound;
  }

  /** Until the signal aborts. Throws `TuneInFailed` when there is nothing to hear, at first or any more. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    let tries = 0;
    let lastSoundMs = performance.now();
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const startMs = performance.now();
      try {
        await this.#listen();
        lastSoundMs = performance.now();
        if (lastSoundMs - startMs > SOUND_MS) tries = 0;
      } catch (error) {
        if (signal.aborted) return;
        const failure = tuneInFailureOf(error, [], signal);
        if (isFirst || FINAL.has(failure.code)) throw failure;
        if (performance.now() - lastSoundMs > GIVE_UP_MS) throw failure;
        this.#sound.lost(failure.message);
      }
      const wait = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!;
      tries += 1;
      // Half the relays of a station that restarts must not come back in the same moment.
      await pause(wait * (0.75 + Math.random() / 2), signal);
    }
  }

  /** Called every now and then: ends a connection that has fallen silent. */
  endIfSilent(nowMs: number): void {
    if (nowMs - this.#lastByteMs > STALL_MS) this.#hangUp?.('it sends nothing any more');
  }

  /** One connection, from its first byte to its end. */
  async #listen(): Promise<void> {
    const { fetcher, address, headers, userAgent, signal } = this.#options;
    using tuned = await tuneIn(fetcher, address, { signal, headers, userAgent });
    if (tuned.kind === 'hls')
      throw new TuneInFailed('hls', 'it sends HLS, which is not relayed yet', { code: 'other', steps: [] });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const end = (why: string): void => {
      if (!signal.aborted) this.#sound.lost(why);
      resolve();
    };
    signal.addEventListener('abort', () => resolve(), { once: true });
    this.#lastByteMs = performance.now();
    this.#hangUp = end;
    this.#sound.begins(tuned);
    tuned.reader.handOver({
      body: (piece) => {
        this.#lastByteMs = performance.now();
        this.#sound.body(piece);
        return true;
      },
      title: (title) => this.#sound.title(title),
      ended: (error) => end(error instanceof Error ? error.message : 'it ended'),
    });
    await ended;
    this.#hangUp = undefined;
  }
}
