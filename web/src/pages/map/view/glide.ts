import { type View, between } from './view.ts';
import { eastward } from './world.ts';

const GLIDE_MS = 320;
const FLIGHT_MS = 1400;

/** An animation from one view to another, so that the eye can follow. */
export class Glide {
  readonly #from: View;
  readonly to: View;
  readonly #startMs: number;
  readonly #lengthMs: number;
  /** How many levels of zoom it rises on the way. */
  readonly #rise: number;

  constructor(from: View, to: View, startMs: number, lengthMs = GLIDE_MS, rise = 0) {
    this.#from = from;
    this.to = to;
    this.#startMs = startMs;
    this.#lengthMs = lengthMs;
    this.#rise = rise;
  }

  /** To a far place: over the world in an arc, from where both ends can be seen. */
  static flight(from: View, to: View, startMs: number): Glide {
    const distance = Math.hypot(eastward(from.x, to.x), from.y - to.y);
    const overview = -Math.log2(Math.max(distance, 1e-6));
    return new Glide(from, to, startMs, FLIGHT_MS, Math.max(0, (from.zoom + to.zoom) / 2 - overview));
  }

  /** The current view; undefined when it has arrived. */
  at(nowMs: number): View | undefined {
    const part = Math.max(0, (nowMs - this.#startMs) / this.#lengthMs);
    if (part >= 1) return undefined;
    // Ease-out: fast at first, slow at the end.
    const view = between(this.#from, this.to, 1 - (1 - part) ** 3);
    return { ...view, zoom: view.zoom - this.#rise * Math.sin(Math.PI * part) };
  }
}

/** Whether the listener prefers reduced motion. */
export const isStillWanted = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
