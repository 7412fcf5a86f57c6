/** Draws when something has changed: at most once per frame, and never after it is closed. */
export class Frames {
  readonly #draw: (nowMs: number) => void;
  #asked: number | undefined;
  #isClosed = false;

  constructor(draw: (nowMs: number) => void) {
    this.#draw = draw;
  }

  soon(): void {
    if (this.#isClosed) return;
    this.#asked ??= requestAnimationFrame((nowMs) => {
      this.#asked = undefined;
      this.#draw(nowMs);
    });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#asked !== undefined) cancelAnimationFrame(this.#asked);
  }
}
