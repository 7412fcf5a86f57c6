import { LineSlab } from './line-slab.ts';

/** Two kinds of line of a large directory, for two hosts. */
const MOST_BYTES = 96 * 1024 * 1024;

/** The slabs of one owner: by kind of line, notation and host. */
export class LineShelf {
  readonly #slabs = new Map<string, LineSlab>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** Begins anew when it is full, so that hosts that somebody invents cost no memory. */
  slab(key: string, lines: number): LineSlab {
    if (this.#bytes >= this.#most) {
      this.#slabs.clear();
      this.#bytes = 0;
    }
    const known = this.#slabs.get(key);
    if (known) return known;
    const slab = new LineSlab(lines, (bytes) => (this.#bytes += bytes));
    this.#slabs.set(key, slab);
    return slab;
  }
}

const shelves = new WeakMap<object, LineShelf>();

/** Goes when its owner goes, such as a state of the directory. */
export function shelfOf(owner: object): LineShelf {
  let shelf = shelves.get(owner);
  if (!shelf) shelves.set(owner, (shelf = new LineShelf()));
  return shelf;
}
