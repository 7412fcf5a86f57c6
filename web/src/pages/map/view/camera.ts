import { Glide } from './glide.ts';
import { type Size, type View, bounded, wholeWorld } from './view.ts';

const REST_MS = 140;
/** Nobody moves it before it is there. */
const FIRST_REST_MS = 0;

export interface CameraEvents {
  moved: () => void;
  /** Nothing has moved for a moment. */
  rested: () => void;
}

/** The current view, and the animation to the next one. */
export class Camera {
  readonly #events: CameraEvents;
  #size: Size = { width: 0, height: 0 };
  #view: View | undefined;
  #glide: Glide | undefined;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #isResting = false;
  #hasRested = false;

  constructor(events: CameraEvents, view?: View) {
    this.#events = events;
    this.#view = view;
  }

  get view(): View {
    return this.#view ?? wholeWorld(this.#size);
  }

  get size(): Size {
    return this.#size;
  }

  /** The target while it is moving: a second key press continues from there. */
  get aim(): View {
    return this.#glide?.to ?? this.view;
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  resize(size: Size): void {
    this.#size = size;
    // The player that opens makes the map smaller: a flight goes on.
    if (this.#glide) this.#events.moved();
    else this.look(this.#view ?? wholeWorld(size));
  }

  look(view: View): void {
    this.#glide = undefined;
    this.#move(bounded(view, this.#size));
  }

  /** Starts the animation; `step` advances it. */
  glideTo(view: View): void {
    this.#glide = new Glide(this.view, bounded(view, this.#size), performance.now());
  }

  /** The same to a far place. */
  flyTo(view: View): void {
    this.#glide = Glide.flight(this.view, bounded(view, this.#size), performance.now());
  }

  step(nowMs: number): void {
    if (!this.#glide) return;
    const view = this.#glide.at(nowMs);
    this.#move(view ? bounded(view, this.#size) : this.#glide.to);
    if (!view) this.#glide = undefined;
  }

  close(): void {
    clearTimeout(this.#restTimer);
  }

  #move(view: View): void {
    this.#view = view;
    this.#isResting = false;
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), this.#hasRested ? REST_MS : FIRST_REST_MS);
    this.#events.moved();
  }

  #rest(): void {
    // On a slow machine, a frame of a flight may take longer than a rest.
    if (this.#glide) return;
    this.#isResting = true;
    this.#hasRested = true;
    this.#events.rested();
  }
}
