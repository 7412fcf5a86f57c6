import { type View, between } from './view.ts';

const GLIDE_MS = 320;

/** A way from one view to another that takes a moment, so that the eye can follow. */
export class Glide {
  readonly #from: View;
  readonly to: View;
  readonly #startMs: number;

  constructor(from: View, to: View, startMs: number) {
    this.#from = from;
    this.to = to;
    this.#startMs = startMs;
  }

  /** Where it has come to; undefined when it has arrived. */
  at(nowMs: number): View | undefined {
    const part = (nowMs - this.#startMs) / GLIDE_MS;
    // Quick at first, and slow where it ends.
    return part >= 1 ? undefined : between(this.#from, this.to, 1 - (1 - Math.max(0, part)) ** 3);
  }
}

/** Whether the listener wants nothing on the screen to move by itself. */
export const isStillWanted = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
