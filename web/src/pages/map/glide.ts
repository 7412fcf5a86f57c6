import { type View, between } from './view.ts';

const GLIDE_MS = 320;

/** An animation from one view to another, so that the eye can follow. */
export class Glide {
  readonly #from: View;
  readonly to: View;
  readonly #startMs: number;

  constructor(from: View, to: View, startMs: number) {
    this.#from = from;
    this.to = to;
    this.#startMs = startMs;
  }

  /** The current view; undefined when it has arrived. */
  at(nowMs: number): View | undefined {
    const part = (nowMs - this.#startMs) / GLIDE_MS;
    // Ease-out: fast at first, slow at the end.
    return part >= 1 ? undefined : between(this.#from, this.to, 1 - (1 - Math.max(0, part)) ** 3);
  }
}

/** Whether the listener prefers reduced motion. */
export const isStillWanted = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
