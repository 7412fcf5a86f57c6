import { isHls } from './choose-streams.ts';
import type { EngineDeps, Failure } from './deps.ts';
import type { Loss } from './rounds.ts';
import type { PlayerStream } from './state.ts';

export type HearingEnd =
  | { by: Loss; failure: Failure }
  /** The browser requires a click first. */
  | { by: 'touch' }
  /** A topic reached its end. */
  | { by: 'finish' }
  /** It was lost while it was paused, when nobody waits for it. */
  | { by: 'paused' };

interface Course {
  stream: PlayerStream;
  maxWaitMs: number;
  startAt: number;
  isLive: boolean;
}

interface HeardState {
  heard: () => void;
  paused: () => void;
  ended: (end: HearingEnd) => void;
}

/** A browser buffers a few seconds of audio; a stream that delivers nothing for this long is lost. */
const STALL_MS = 4000;
const LOOK_MS = 500;
/** Looks are this late when the device was asleep: then connections are dead, and are not waited for as long. */
const ASLEEP_MS = 20_000;
const AWAKE_STALL_MS = 1500;
/** As long as what the browser had in store may last. */
const AWAKE_FOR_MS = 30_000;

/** One stream that is playing, from its start until it ends for whatever reason; it ends once. */
export class Hearing {
  readonly stream: PlayerStream;
  readonly #deps: EngineDeps;
  readonly #course: Course;
  #told: HeardState | undefined;
  readonly #listening = new AbortController();
  #isHeard = false;
  #isPaused = false;
  #closeHls: (() => void) | undefined;
  #stopWatch: (() => void) | undefined;
  #stopWaiting: (() => void) | undefined;
  #lastTime = 0;
  #lastMove = 0;
  #heardSince = 0;
  #lastWall = 0;
  #awokeAt = -Infinity;

  constructor(deps: EngineDeps, course: Course) {
    this.#deps = deps;
    this.#course = course;
    this.stream = course.stream;
  }

  get heardSeconds(): number {
    return this.#isHeard ? (this.#lastMove - this.#heardSince) / 1000 : 0;
  }

  start(given: HeardState): void {
    this.#told = given;
    const { sound, after } = this.#deps;
    const { signal } = this.#listening;
    sound.addEventListener('playing', () => this.#playing(), { signal });
    sound.addEventListener('error', () => this.#failed(), { signal });
    sound.addEventListener('ended', () => this.#finished(), { signal });
    this.#stopWaiting = after(this.#course.maxWaitMs, () => this.#silent('no sound in time'));
    void this.#open();
  }

  resume(): void {
    this.#isPaused = false;
    this.#lastMove = this.#deps.now();
    void this.#play();
  }

  pause(): void {
    this.#isPaused = true;
    this.#deps.sound.pause();
  }

  /** Silently: without a callback. */
  leave(): void {
    this.#told = undefined;
    this.#close();
  }

  async #open(): Promise<void> {
    const { sound, openHls } = this.#deps;
    const { stream, startAt } = this.#course;
    if (isHls(stream) && sound.canPlayType('application/vnd.apple.mpegurl') === '') {
      try {
        const onFailure = (failure: Failure): void => this.#lose('error', failure);
        this.#closeHls = await openHls(stream.address, onFailure, this.#listening.signal);
      } catch (error) {
        return this.#lose('error', { message: nameOf(error), code: 0 });
      }
    } else sound.src = stream.address;
    if (startAt > 0) sound.currentTime = startAt;
    await this.#play();
  }

  async #play(): Promise<void> {
    try {
      await this.#deps.sound.play();
    } catch (error) {
      const name = nameOf(error);
      // Another stream took over the element meanwhile, which its starter knows.
      if (name === 'AbortError') return;
      if (name === 'NotAllowedError') this.#end({ by: 'touch' });
      else this.#failed(name);
    }
  }

  #playing(): void {
    if (!this.#told) return;
    this.#stopWaiting?.();
    this.#isPaused = false;
    this.#lastMove = this.#deps.now();
    this.#lastTime = this.#deps.sound.currentTime;
    if (!this.#isHeard) this.#heardSince = this.#lastMove;
    this.#isHeard = true;
    this.#lastWall = this.#deps.wallNow();
    this.#told.heard();
    this.#watch();
  }

  /** The element's `waiting` and `stalled` events are unreliable; only progress of its time can be trusted. */
  #watch(): void {
    this.#stopWatch?.();
    this.#stopWatch = this.#deps.after(LOOK_MS, () => {
      const now = this.#deps.now();
      const { currentTime, paused, ended } = this.#deps.sound;
      if (currentTime !== this.#lastTime) [this.#lastTime, this.#lastMove] = [currentTime, now];
      // At its end an element is paused a moment before it tells that it has ended.
      if (paused && !ended && !this.#isPaused) return this.#pausedByOthers();
      this.#noticeSleep(now);
      if (!paused && now - this.#lastMove > this.#stallMs(now)) return this.#silent('the sound stopped');
      if (paused) this.#lastMove = now;
      this.#watch();
    });
  }

  /** A clock that is set looks the same; the sound goes on then, and nothing comes of it. */
  #noticeSleep(now: number): void {
    const wall = this.#deps.wallNow();
    if (wall - this.#lastWall > ASLEEP_MS) this.#lastMove = this.#awokeAt = now;
    this.#lastWall = wall;
  }

  #stallMs(now: number): number {
    const isJustAwake = this.#course.isLive && now - this.#awokeAt < AWAKE_FOR_MS;
    return isJustAwake ? AWAKE_STALL_MS : STALL_MS;
  }

  /** Headphones unplugged, or another app took the speaker. */
  #pausedByOthers(): void {
    this.#isPaused = true;
    this.#told?.paused();
    this.#watch();
  }

  #finished(): void {
    if (this.#course.isLive) this.#silent('the stream ended');
    else this.#end({ by: 'finish' });
  }

  #silent(message: string): void {
    this.#lose('silence', { message, code: 0 });
  }

  #failed(otherwise = 'the browser could not play it'): void {
    const { code = 0, message = '' } = this.#deps.sound.error ?? {};
    this.#lose('error', { message: message || otherwise, code });
  }

  /** A browser tells of a broken connection after a pause too. */
  #lose(by: Loss, failure: Failure): void {
    this.#end(this.#isPaused ? { by: 'paused' } : { by, failure });
  }

  #end(end: HearingEnd): void {
    const given = this.#told;
    if (!given) return;
    this.#told = undefined;
    this.#close();
    given.ended(end);
  }

  #close(): void {
    const { sound } = this.#deps;
    this.#listening.abort();
    this.#stopWaiting?.();
    this.#stopWatch?.();
    this.#closeHls?.();
    sound.pause();
    sound.removeAttribute('src');
    sound.load();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));
