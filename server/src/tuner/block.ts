const BYTES = 32 * 1024;
/** As many as are read at once by the largest worker, or so; more are left to the garbage collector. */
const MOST_FREE = 200;
const NOTHING = Buffer.alloc(0);
const free: Buffer[] = [];

function giveBack(memory: Buffer): void {
  if (memory.length === BYTES && free.length < MOST_FREE) free.push(memory);
}

/**
 * Bytes of one connection, side by side, in memory that is used again and again: to ask for it anew was a third of what a
 * probe took. What was looked at is another connection's after the next wait, or when the block is disposed of.
 */
export class Block implements Disposable {
  #memory: Buffer | undefined = free.pop() ?? Buffer.allocUnsafeSlow(BYTES);
  #filled = 0;

  get length(): number {
    return this.#filled;
  }

  get bytes(): Buffer {
    return this.#memory?.subarray(0, this.#filled) ?? NOTHING;
  }

  add(piece: Buffer): void {
    if (!this.#memory) return;
    piece.copy(this.#roomFor(this.#memory, piece.length), this.#filled);
    this.#filled += piece.length;
  }

  [Symbol.dispose](): void {
    if (this.#memory) giveBack(this.#memory);
    this.#memory = undefined;
    this.#filled = 0;
  }

  #roomFor(memory: Buffer, length: number): Buffer {
    const needed = this.#filled + length;
    if (needed <= memory.length) return memory;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * memory.length, needed));
    memory.copy(larger, 0, 0, this.#filled);
    giveBack(memory);
    this.#memory = larger;
    return larger;
  }
}
