import { pause } from '../../../lib/clock.ts';
import type { SafeFetcher } from '../../../net/fetch/fetch-safely.ts';
import { tuneInFailureOf } from '../../../net/tuner/failure.ts';
import type { BodyTaker, StreamReader } from '../../../net/tuner/stream-reader.ts';
import { TuneInFailed } from '../../../net/tuner/tune-in-failed.ts';
import { tuneIn } from '../../../net/tuner/tune-in.ts';
import type { TunedIn } from '../../../net/tuner/tuned-in.ts';
import { mediaTypeOf } from './hls-segments.ts';
import { type HeardOf, HlsSource } from './hls-source.ts';

/**
 * One connection to a station, for as long as somebody listens. When it ends, breaks or falls silent it is made again from
 * the station's own address, because what that leads to is often good for some hours only:
 *
 *   connect -> sound -> (end, error, 5 s without sound) -> pause -> connect …
 *
 * Pauses grow from nothing to eight seconds; the first ones are short, so that two seconds are over before a radio has
 * played what it has. The count begins anew only after ten seconds of sound: a station that sends half a second and hangs up
 * must not be called twice a second. After five minutes without sound it is given up, and at once if the station refuses us.
 * A list of segments goes on behind what was heard of it: one that stands still is silence, and not its end over and over.
 */

/** However they vary, there is a call between the second and the third second after the end: silence is sent from then on. */
const PAUSES_MS = [0, 500, 500, 500, 500, 500, 500, 1000, 2000, 4000, 8000];
const SOUND_MS = 10_000;
const STALL_MS = 5000;
const GIVE_UP_MS = 300_000;
/** After so many calls in vain. Half the relays of a station that restarts must not come back in the same moment. */
export const pauseMs = (tries: number): number =>
  PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]! * (0.75 + Math.random() / 2);

/** In a tick: over a megabit a second. */
const MAX_RESTING_BYTES = 48 * 1024;
/** A station that says so says it to everybody who asks again. Not 404: Icecast says that while a studio connects anew. */
const FINAL: ReadonlySet<string> = new Set(['http_401', 'http_403', 'geo']);

/** What a station says when it is called. */
export interface StationAnswer {
  contentType?: string | undefined;
  /** `Cache-Control: no-transform`: its sound is sent as it is, or not at all. */
  noTransform: boolean;
  /** `icy-pub: 0`: it is not meant for public lists. */
  isUnlisted: boolean;
}

/** What a listener gets of it. */
export interface Sound extends Pick<BodyTaker, 'title'> {
  /** A connection was made: the first one, or another one after a gap. */
  begins(answer: StationAnswer): void;
  /** Must copy what it keeps. When it gives false, a station that sends faster than it plays waits for `goOn`. */
  body(piece: Buffer): boolean;
  /** Nothing arrives for the moment. */
  lost(why: string): void;
  /** A segment of HLS could not be had. */
  missed(): void;
}

export interface UpstreamOptions {
  fetcher: SafeFetcher;
  address: string;
  /** Lines of the request that say who asks for whom. */
  headers: readonly string[];
  userAgent: string;
  /** It is heard already, in a process that gives its listeners away: that it is away for the moment is no end, not even at first. */
  wasHeard?: boolean | undefined;
  /** Ends it. */
  signal: AbortSignal;
}

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #sound: Sound;
  /** Ends the present connection, if there is one. */
  #hangUp: ((why: string) => void) | undefined;
  #reader: Pick<StreamReader, 'pause' | 'resume'> | undefined;
  /** Bytes since `goOn`. */
  #taken = 0;
  #isWaiting = false;
  #lastSoundMs = 0;
  /** Of the present connection. */
  #begunMs = 0;
  #hasBegun = false;
  /** How far a list of segments was heard, and which. */
  #heard: (HeardOf & { list: string }) | undefined;

  constructor(options: UpstreamOptions, sound: Sound) {
    this.#options = options;
    this.#sound = sound;
    if (options.wasHeard === true) this.#wasHeard();
  }

  /** Until the signal aborts. Throws `TuneInFailed` when there is nothing to hear, at first or any more. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    let tries = 0;
    while (!signal.aborted) {
      const startMs = performance.now();
      try {
        await this.#listen();
      } catch (error) {
        if (signal.aborted) return;
        const failure = tuneInFailureOf(error, [], signal);
        if (!this.#hasBegun || FINAL.has(failure.code)) throw failure;
        this.#giveUp(failure);
        this.#sound.lost(failure.message);
      }
      if (this.#lastSoundMs - startMs > SOUND_MS) tries = 0;
      this.#giveUp(new TuneInFailed('dead', 'it sends no sound any more', { code: 'empty', steps: [] }));
      await pause(pauseMs(tries), signal);
      tries += 1;
    }
  }

  /** Ends the present connection, so that another is made; false where there is none that can be ended. */
  hangUp(why: string): boolean {
    this.#hangUp?.(why);
    return this.#hangUp !== undefined;
  }

  /** It sends faster than it plays. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** There was sound in what it sent: bytes alone do not make a station. */
  heard(nowMs: number): void {
    this.#lastSoundMs = nowMs;
  }

  /**
   * Until `goOn` nothing is read: to read once what came in several packets takes half the work. One that sends much is read
   * all the time, since the system keeps only so much.
   */
  rest(): void {
    if (this.#taken < MAX_RESTING_BYTES) this.#reader?.pause();
  }

  /** Called every now and then: what has arrived is taken; a connection that has fallen silent is ended. */
  goOn(nowMs: number): void {
    this.#reader?.resume();
    this.#isWaiting = false;
    this.#taken = 0;
    if (nowMs - Math.max(this.#lastSoundMs, this.#begunMs) > STALL_MS)
      this.#hangUp?.('it sends no sound any more');
  }

  #giveUp(why: TuneInFailed): void {
    if (performance.now() - this.#lastSoundMs > GIVE_UP_MS) throw why;
  }

  /** One connection, from its first byte to its end. */
  async #listen(): Promise<void> {
    const { fetcher, address, headers, userAgent, signal } = this.#options;
    using tuned = await tuneIn(fetcher, address, { signal, headers: [...headers, AS_IT_IS], userAgent });
    const answer = answerOf(tuned.headers);
    if (tuned.hls) {
      tuned[Symbol.dispose]();
      return await this.#follow(tuned, tuned.hls.playlistAddress, answer);
    }
    refusePacked(tuned.headers.get('content-encoding'));
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const end = (why: string): void => {
      if (!signal.aborted) this.#sound.lost(why);
      resolve();
    };
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop);
    this.#begin(answer);
    this.#hangUp = end;
    this.#reader = tuned.reader;
    tuned.reader.handOver({
      body: (piece) => this.#take(piece),
      title: (title) => this.#sound.title(title),
      ended: (error) => end(error instanceof Error ? error.message : 'it ended'),
    });
    await ended;
    this.#hangUp = undefined;
    this.#reader = undefined;
    signal.removeEventListener('abort', stop);
  }

  /** HLS, from its playlist; it knows by itself when the station is away. */
  async #follow(tuned: TunedIn, address: string, answer: StationAnswer): Promise<void> {
    const list = listOf(tuned, address);
    const { fetcher, headers, userAgent, signal } = this.#options;
    const named = headers.map((line) => line.split(': ', 2));
    const source = new HlsSource(
      {
        fetcher,
        address,
        headers: { 'user-agent': userAgent, ...Object.fromEntries(named) },
        cookies: tuned.cookies,
        heard: this.#heard?.list === list ? this.#heard : undefined,
        signal,
      },
      {
        begins: (first) => this.#begin({ ...answer, contentType: mediaTypeOf(first) }),
        body: (piece) => void this.#take(piece),
        title: (title) => this.#sound.title(title),
        missed: () => this.#sound.missed(),
      },
    );
    try {
      await source.run();
    } finally {
      if (source.heard) this.#heard = { ...source.heard, list };
    }
  }

  #begin(answer: StationAnswer): void {
    this.#begunMs = performance.now();
    if (!this.#hasBegun) this.#wasHeard();
    this.#sound.begins(answer);
  }

  #wasHeard(): void {
    this.#hasBegun = true;
    this.#lastSoundMs = performance.now();
  }

  #take(piece: Buffer): boolean {
    this.#taken += piece.length;
    this.#isWaiting = !this.#sound.body(piece);
    return !this.#isWaiting;
  }
}

/** Some servers compress whatever they send, sound too, and no radio can read it. */
const AS_IT_IS = 'Accept-Encoding: identity';

function refusePacked(encoding = 'identity'): void {
  if (/^(?:identity)?$/i.test(encoding.trim())) return;
  const words = `it compresses its sound (${encoding.slice(0, 20)}), which was not asked for`;
  throw new TuneInFailed('codec', words, { code: 'unknown_codec', steps: [] });
}

/**
 * What stays the same of a list of segments, however often the station is called. It has one, whatever it redirects to for
 * this call; those of an M3U or PLS differ in more than what follows a `?`, and each has numbers of its own.
 */
const listOf = ({ playlist }: TunedIn, address: string): string =>
  playlist === undefined ? '' : (address.split('?', 1)[0] ?? '');

const answerOf = (headers: ReadonlyMap<string, string>): StationAnswer => ({
  contentType: headers.get('content-type')?.split(';', 1)[0]?.trim(),
  noTransform: /(?:^|[\s,])no-transform(?:$|[\s,])/i.test(headers.get('cache-control') ?? ''),
  isUnlisted: headers.get('icy-pub')?.trim() === '0',
});
