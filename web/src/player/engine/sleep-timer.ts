import type { EngineDeps } from './deps.ts';

/** So long it grows quieter before it stops: nobody is woken by silence. */
const FADE_MS = 20_000;
const STEP_MS = 500;

interface Callbacks {
  changed: (sleepsAt: number | undefined) => void;
  /** The time is over. */
  over: () => void;
}

/** Lets the sound fade out and then ends it. A browser that does not let pages set the volume, as on an iPhone, only ends it. */
export class SleepTimer {
  readonly #deps: Pick<EngineDeps, 'sound' | 'now' | 'after'>;
  readonly #callbacks: Callbacks;
  #stop: (() => void) | undefined;
  #endsAt = 0;
  /** The listener's own volume while it fades. */
  #full: number | undefined;

  constructor(deps: Pick<EngineDeps, 'sound' | 'now' | 'after'>, callbacks: Callbacks) {
    this.#deps = deps;
    this.#callbacks = callbacks;
  }

  /** Ends it after this many minutes; 0 cancels the timer. */
  set(minutes: number): void {
    this.#clear();
    if (minutes > 0) {
      this.#endsAt = this.#deps.now() + minutes * 60_000;
      this.#stop = this.#deps.after(Math.max(0, minutes * 60_000 - FADE_MS), () => this.#fade());
    }
    this.#callbacks.changed(minutes > 0 ? this.#endsAt : undefined);
  }

  /** What the listener sets while it fades is what is heard next time. */
  setVolume(volume: number): void {
    if (this.#full === undefined) this.#deps.sound.volume = volume;
    else this.#full = volume;
  }

  #fade(): void {
    const { sound, now, after } = this.#deps;
    const leftMs = this.#endsAt - now();
    if (leftMs <= 0) return this.#end();
    this.#full ??= sound.volume;
    sound.volume = this.#full * Math.min(1, leftMs / FADE_MS);
    this.#stop = after(Math.min(STEP_MS, leftMs), () => this.#fade());
  }

  #end(): void {
    this.#callbacks.over();
    this.#clear();
    this.#callbacks.changed(undefined);
  }

  #clear(): void {
    this.#stop?.();
    this.#stop = undefined;
    if (this.#full !== undefined) this.#deps.sound.volume = this.#full;
    this.#full = undefined;
  }
}
