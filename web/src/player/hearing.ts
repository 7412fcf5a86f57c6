import { isHls } from './choose-streams.ts';
import type { EngineNeeds, Failure } from './needs.ts';
import type { Loss } from './rounds.ts';
import type { PlayerStream } from './state.ts';

export type HearingEnd =
  | { by: Loss; failure: Failure }
  /** The browser wants a click first. */
  | { by: 'touch' }
  /** A topic came to its end. */
  | { by: 'finish' };

interface Course {
  stream: PlayerStream;
  patienceMs: number;
  startAt: number;
  isLive: boolean;
}

interface Told {
  heard: () => void;
  paused: () => void;
  ended: (end: HearingEnd) => void;
}

/** A browser holds a few seconds of sound; a stream that brings nothing for this long is lost. */
const STALL_MS = 4000;
const LOOK_MS = 500;

/** One stream being heard, from its start until it ends for whatever reason; it ends once. */
export class Hearing {
  readonly stream: PlayerStream;
  readonly #needs: EngineNeeds;
  readonly #course: Course;
  #told: Told | undefined;
  readonly #listening = new AbortController();
  #isHeard = false;
  #isPaused = false;
  #closeHls: (() => void) | undefined;
  #stopWatch: (() => void) | undefined;
  #stopPatience: (() => void) | undefined;
  #lastTime = 0;
  #lastMove = 0;
  #heardSince = 0;

  constructor(needs: EngineNeeds, course: Course) {
    this.#needs = needs;
    this.#course = course;
    this.stream = course.stream;
  }

  get heardSeconds(): number {
    return this.#isHeard ? (this.#lastMove - this.#heardSince) / 1000 : 0;
  }

  start(told: Told): void {
    this.#told = told;
    const { sound, after } = this.#needs;
    const { signal } = this.#listening;
    sound.addEventListener('playing', () => this.#playing(), { signal });
    sound.addEventListener('error', () => this.#failed(), { signal });
    sound.addEventListener('ended', () => this.#finished(), { signal });
    this.#stopPatience = after(this.#course.patienceMs, () => this.#silent('no sound in time'));
    void this.#open();
  }

  resume(): void {
    this.#isPaused = false;
    this.#lastMove = this.#needs.now();
    void this.#play();
  }

  pause(): void {
    this.#isPaused = true;
    this.#needs.sound.pause();
  }

  /** Silently: nobody is told. */
  leave(): void {
    this.#told = undefined;
    this.#close();
  }

  async #open(): Promise<void> {
    const { sound, openHls } = this.#needs;
    const { stream, startAt } = this.#course;
    if (isHls(stream) && sound.canPlayType('application/vnd.apple.mpegurl') === '') {
      try {
        const close = await openHls(stream.address, (failure) => this.#end({ by: 'error', failure }));
        if (!this.#told) return close();
        this.#closeHls = close;
      } catch (error) {
        return this.#end({ by: 'error', failure: { message: nameOf(error), code: 0 } });
      }
    } else sound.src = stream.address;
    if (startAt > 0) sound.currentTime = startAt;
    await this.#play();
  }

  async #play(): Promise<void> {
    try {
      await this.#needs.sound.play();
    } catch (error) {
      const name = nameOf(error);
      // Another stream took the element meanwhile; whoever did that knows.
      if (name === 'AbortError') return;
      if (name === 'NotAllowedError') this.#end({ by: 'touch' });
      else this.#failed(name);
    }
  }

  #playing(): void {
    if (!this.#told) return;
    this.#stopPatience?.();
    this.#isPaused = false;
    this.#lastMove = this.#needs.now();
    this.#lastTime = this.#needs.sound.currentTime;
    if (!this.#isHeard) this.#heardSince = this.#lastMove;
    this.#isHeard = true;
    this.#told.heard();
    this.#watch();
  }

  /** The element says `waiting` and `stalled` when it likes; that time goes on is the one sign to trust. */
  #watch(): void {
    this.#stopWatch?.();
    this.#stopWatch = this.#needs.after(LOOK_MS, () => {
      const now = this.#needs.now();
      const { currentTime, paused } = this.#needs.sound;
      if (currentTime !== this.#lastTime) [this.#lastTime, this.#lastMove] = [currentTime, now];
      if (paused && !this.#isPaused) return this.#pausedByOthers();
      if (!paused && now - this.#lastMove > STALL_MS) return this.#silent('the sound stopped');
      if (paused) this.#lastMove = now;
      this.#watch();
    });
  }

  /** Headphones pulled out, another app that wants the speaker. */
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
    this.#end({ by: 'silence', failure: { message, code: 0 } });
  }

  #failed(otherwise = 'the browser could not play it'): void {
    const { code = 0, message = '' } = this.#needs.sound.error ?? {};
    this.#end({ by: 'error', failure: { message: message || otherwise, code } });
  }

  #end(end: HearingEnd): void {
    const told = this.#told;
    if (!told) return;
    this.#told = undefined;
    this.#close();
    told.ended(end);
  }

  #close(): void {
    const { sound } = this.#needs;
    this.#listening.abort();
    this.#stopPatience?.();
    this.#stopWatch?.();
    this.#closeHls?.();
    sound.pause();
    sound.removeAttribute('src');
    sound.load();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));
