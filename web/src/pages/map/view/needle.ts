import { Glide, isStillWanted } from './glide.ts';

/** The needle of the dial: at a longitude of the world, gliding to the next. */
export class Needle {
  #x: number | undefined;
  #glide: Glide | undefined;

  /** Moves it there, or removes it. */
  put(x: number | undefined): void {
    const from = this.#x;
    const moves = from !== undefined && x !== undefined && !isStillWanted();
    this.#glide = moves ? new Glide(onlyX(from), onlyX(x), performance.now()) : undefined;
    this.#x = x;
  }

  /** Its current position; undefined if there is none. */
  at(nowMs: number): number | undefined {
    const x = this.#glide?.at(nowMs)?.x ?? this.#x;
    if (x === this.#x) this.#glide = undefined;
    return x;
  }

  get isMoving(): boolean {
    return this.#glide !== undefined;
  }
}

const onlyX = (x: number): { x: number; y: number; zoom: number } => ({ x, y: 0, zoom: 0 });
