import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import { Converter } from './converter.ts';
import { IncomingSound } from './upstream/incoming-sound.ts';
import { RelayRefusal } from './relay-answer.ts';
import type { RelayListener } from './relay-listener.ts';
import { type Piece, SoundRing } from './sound-ring.ts';
import { type Sound, type StationAnswer, Upstream, type UpstreamOptions } from './upstream/upstream.ts';

/** A station that several may hear is kept for whoever comes next: radios often look at an address before they play it. */
const LINGER_MS = 20_000;

/** A radio that takes nothing of a file for so long is one that does not read. */
const MAX_AHEAD_MS = 120_000;

/** A converter that fails more often than this has a station whose sound nobody understands. */
const MAX_FAILURES = 3;
const FAILURES_WITHIN_MS = 60_000;
/** What ffmpeg makes no MP3 of for so long it makes none of at all: at first, and of a station that was heard before. */
const MAX_UNCONVERTED_MS = { first: 15_000, later: 300_000 };

/** Why a listener hears no more; one who asked for a part of a file has all of it when that is `finished`. */
export type EndedBy = 'listener' | 'finished' | 'slow' | 'station' | 'forbidden' | 'stopped' | 'handed over';

export interface TransmissionOptions extends Omit<UpstreamOptions, 'signal'> {
  /** Whether it is converted to MP3. */
  isConverted: boolean;
  /** Whether several listeners may hear it, by one connection to the station. */
  isShared: boolean;
  /** What is counted and logged. */
  watch: Pick<Sound, 'lost' | 'missed'>;
}

interface HeldTransmission extends Disposable {
  /** What the station said, as soon as there is sound. Throws `TuneInFailed` where there is none, `RelayRefusal` where it forbids this. */
  readonly begun: Promise<StationAnswer>;
  /** Sends it to a listener, until `end` is called or there is no more. */
  play(listener: RelayListener): { ended: Promise<EndedBy>; end: (why: EndedBy) => void };
  /** The same for a listener in the middle of the sound. */
  goOn(listener: RelayListener): ReturnType<HeldTransmission['play']>;
}

/**
 * A station as it is sent on: one connection to it, and those who listen. What arrives is written to all of
 * them every tick.
 */
export class Transmission {
  readonly isShared: boolean;
  readonly #ending = new AbortController();
  readonly #upstream: Upstream;
  readonly #converter: Converter | undefined;
  #failures: number[] = [];
  /** When MP3 last came out of it; before that, when the station began to send. */
  #convertedMs: number | undefined;
  #hasConverted = false;
  readonly #incoming = new IncomingSound();
  readonly #ring: SoundRing;
  readonly #begun = Promise.withResolvers<StationAnswer>();
  readonly #listeners = new Map<RelayListener, (why: EndedBy) => void>();
  /** Those who wait for its start are among them. */
  #users = 0;
  #unusedSinceMs: number | undefined;
  /** The first sound does not wait for a tick. */
  #hasSound = false;
  #received = 0;
  #aheadSinceMs: number | undefined;

  constructor({ isShared, isConverted, watch, ...upstream }: TransmissionOptions) {
    this.isShared = isShared;
    this.#ring = new SoundRing(isShared);
    // Somebody may have gone before it fails.
    this.#begun.promise.catch(() => undefined);
    const { signal } = this.#ending;
    if (isConverted)
      this.#converter = new Converter({
        take: (piece) => {
          this.#convertedMs = performance.now();
          this.#hasConverted = true;
          this.#take(piece);
        },
        failed: (why) => this.#convertAnew(why, watch),
      });
    this.#upstream = new Upstream(
      { ...upstream, signal },
      {
        begins: (answer) => {
          if (this.#converter && answer.noTransform) return this.#refuseToConvert();
          this.#begun.resolve(this.#converter ? { ...answer, contentType: 'audio/mpeg' } : answer);
          this.#incoming.seam();
          this.#convertedMs ??= performance.now();
          this.#converter?.start();
        },
        body: (piece) => {
          this.#received += piece.length;
          if (!this.#converter) return this.#take(piece);
          // What is heard of it is the converter's to say.
          this.#upstream.heard(performance.now());
          return this.#converter.push(piece);
        },
        title: (title) => (this.#ring.title = title),
        missed: () => watch.missed(),
        lost: (why) => watch.lost(why),
      },
    );
  }

  /** Until nobody listens any more, or there is nothing to hear. Throws what is no fault of the station. */
  async run(): Promise<void> {
    try {
      await this.#upstream.run();
      this.#end('stopped');
    } catch (error) {
      this.#begun.reject(error);
      this.#sendNow();
      this.#end('station');
      if (!(error instanceof TuneInFailed)) throw error;
    }
  }

  stop(): void {
    this.#ending.abort();
    this.#converter?.stop();
  }

  get isStopped(): boolean {
    return this.#ending.signal.aborted;
  }

  /** It goes on as long as somebody holds it. */
  hold(): HeldTransmission {
    this.#users += 1;
    this.#unusedSinceMs = undefined;
    return {
      begun: this.#begun.promise,
      play: (listener) => {
        listener.join(this.#ring);
        return this.#add(listener);
      },
      goOn: (listener) => {
        listener.goOn(this.#ring);
        return this.#add(listener);
      },
      [Symbol.dispose]: () => void (this.#users -= 1),
    };
  }

  /** Bytes that came from the station since this was last asked. */
  takeReceived(): number {
    const received = this.#received;
    this.#received = 0;
    return received;
  }

  /** Before each tick: what has arrived is read. */
  listen(nowMs: number): void {
    // A station that waits for its listeners has not fallen silent.
    if (this.#isAhead(nowMs)) return this.#upstream.heard(nowMs);
    this.#converter?.goOn();
    if (this.#converter?.isFull !== true) this.#upstream.goOn(nowMs);
  }

  tick(nowMs: number): void {
    this.#send(this.#isAhead(nowMs) ? undefined : this.#collect(nowMs), nowMs);
    if (this.#hasSound) this.#upstream.rest();
    this.#converter?.check(nowMs);
    this.#endUnconverted(nowMs);
    if (this.#users > 0) return;
    this.#unusedSinceMs ??= nowMs;
    if (!this.isShared || nowMs - this.#unusedSinceMs > LINGER_MS) this.stop();
  }

  #collect(nowMs: number): Piece | undefined {
    const audio = this.#incoming.collect(nowMs);
    const piece = audio && this.#ring.push(audio, nowMs);
    this.#hasSound ||= piece !== undefined;
    if (!this.#incoming.isQuiet) this.#upstream.heard(nowMs);
    return piece;
  }

  #send(piece: Piece | undefined, nowMs: number): void {
    for (const [listener, end] of this.#listeners) {
      const why = listener.tick(piece, nowMs);
      if (why !== undefined) end(why);
    }
  }

  /** What has arrived does not wait for a tick: the first sound, and the last. */
  #sendNow(): void {
    const nowMs = performance.now();
    this.#send(this.#collect(nowMs), nowMs);
  }

  /** A station that sends a file is read as fast as somebody plays it, and nobody misses a part of it. */
  #isAhead(nowMs: number): boolean {
    const isFull = this.#listeners.size > 0 && this.#listeners.keys().every((listener) => listener.isFull);
    const isFaster = this.#upstream.isWaiting || this.#converter?.isWaiting === true;
    if (!isFaster || !isFull) this.#aheadSinceMs = undefined;
    else this.#aheadSinceMs ??= nowMs;
    return this.#aheadSinceMs !== undefined && nowMs - this.#aheadSinceMs < MAX_AHEAD_MS;
  }

  #add(listener: RelayListener): ReturnType<HeldTransmission['play']> {
    const { promise: ended, resolve } = Promise.withResolvers<EndedBy>();
    if (this.isStopped) resolve('stopped');
    const end = (why: EndedBy): void => {
      this.#listeners.delete(listener);
      resolve(why);
    };
    this.#listeners.set(listener, end);
    if (!this.#hasSound) this.#sendNow();
    return { ended, end };
  }

  #take(piece: Buffer): boolean {
    const goesOn = this.#incoming.body(piece);
    if (!this.#hasSound && this.#listeners.size > 0) this.#sendNow();
    return goesOn;
  }

  /** RFC 9111: who passes something on does not change it then. */
  #refuseToConvert(): void {
    this.#begun.reject(
      new RelayRefusal(
        '502 Bad Gateway',
        'no-transform',
        'the station does not want its sound converted (Cache-Control: no-transform), and this radio lacks its format',
      ),
    );
    this.#end('station');
  }

  /** From the start of the sound where that is possible; HLS goes on with the next frame. */
  #convertAnew(why: string, { lost }: TransmissionOptions['watch']): void {
    const nowMs = performance.now();
    this.#failures = [...this.#failures.filter((atMs) => nowMs - atMs < FAILURES_WITHIN_MS), nowMs];
    lost(`it cannot be converted to MP3: ${why}`);
    if (this.#failures.length > MAX_FAILURES) this.#endWith(why);
    else if (!this.#upstream.hangUp(why)) this.#converter?.start();
  }

  /** However often it is called again in between: a few bytes of noise start an ffmpeg each time, and fail none. */
  #endUnconverted(nowMs: number): void {
    if (!this.#converter || this.#convertedMs === undefined) return;
    const most = this.#hasConverted ? MAX_UNCONVERTED_MS.later : MAX_UNCONVERTED_MS.first;
    if (nowMs - this.#convertedMs > most)
      this.#endWith(`ffmpeg made no MP3 of it for ${most / 1000} seconds`);
  }

  #endWith(why: string): void {
    this.#begun.reject(new TuneInFailed('codec', why, { code: 'unknown_codec', steps: [] }));
    this.#end('station');
  }

  #end(why: EndedBy): void {
    this.stop();
    for (const end of this.#listeners.values()) end(why);
  }
}
