import type { ScreenPoint, Size } from '../view/view.ts';

/** Between two names, so that they are not read as one. */
const GAP_PIXELS = 4;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The parts of a map that names are written on. */
export class Taken {
  readonly #size: Size;
  readonly #boxes: Box[] = [];

  constructor(size: Size) {
    this.#size = size;
  }

  /** Takes a box by its middle, unless it reaches over the edge or some of it is taken. */
  take({ left, top }: ScreenPoint, width: number, height: number): boolean {
    const box = {
      left: left - width / 2 - GAP_PIXELS,
      right: left + width / 2 + GAP_PIXELS,
      top: top - height / 2,
      bottom: top + height / 2,
    };
    const isOver =
      box.left < 0 || box.top < 0 || box.right > this.#size.width || box.bottom > this.#size.height;
    if (isOver || this.#boxes.some((other) => overlap(box, other))) return false;
    this.#boxes.push(box);
    return true;
  }

  isWithin({ left, top }: ScreenPoint): boolean {
    return left >= 0 && top >= 0 && left <= this.#size.width && top <= this.#size.height;
  }
}

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
