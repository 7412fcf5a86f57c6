import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** What a disk writes whole or not at all. */
export const SECTOR = 512;

export interface DiskOptions {
  /** Says that it has flushed, and has not. */
  isLying?: boolean;
}

/** What came of the sectors that were written and not flushed when the power went. */
export interface Forgotten {
  kept: number;
  lost: number;
}

/**
 * A disk with a cache of what was written and not flushed yet. When its power is cut, some of the cache is on the disk, whatever
 * order it was written in, and the rest never was. The file stands for what is on the disk.
 */
export class ForgetfulDisk implements Disposable {
  readonly size: number;
  flushes = 0;
  readonly #file: number;
  readonly #cache = new Map<number, Buffer>();
  readonly #isLying: boolean;
  #writesLeft = 0;
  #afterWrites: (() => void) | undefined;

  constructor(path: string, { isLying = false }: DiskOptions = {}) {
    this.#file = openSync(path, 'r+');
    this.size = fstatSync(this.#file).size;
    this.#isLying = isLying;
  }

  read(offset: number, length: number): Buffer {
    this.#check(offset, length);
    const data = Buffer.alloc(length);
    readSync(this.#file, data, 0, length, offset);
    for (let at = 0; at < length; at += SECTOR) this.#cache.get((offset + at) / SECTOR)?.copy(data, at);
    return data;
  }

  write(offset: number, data: Buffer): void {
    this.#check(offset, data.length);
    for (let at = 0; at < data.length; at += SECTOR)
      this.#cache.set((offset + at) / SECTOR, Buffer.from(data.subarray(at, at + SECTOR)));
    this.#writesLeft -= 1;
    if (this.#writesLeft === 0) this.#afterWrites?.();
  }

  /** Between so many writes from now and whatever comes next, which is perhaps their flush. */
  afterWrites(count: number, work: () => void): void {
    this.#writesLeft = count;
    this.#afterWrites = work;
  }

  flush(): void {
    this.flushes += 1;
    if (!this.#isLying) this.#settle(() => true);
  }

  /** Of each sector in the cache it is asked whether it had reached the disk; the cache is gone. */
  cutPower(hadArrived: () => boolean): Forgotten {
    return this.#settle(hadArrived);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #settle(isWritten: () => boolean): Forgotten {
    const forgotten: Forgotten = { kept: 0, lost: 0 };
    for (const [sector, data] of this.#cache) {
      const isKept = isWritten();
      if (isKept) writeSync(this.#file, data, 0, SECTOR, sector * SECTOR);
      forgotten[isKept ? 'kept' : 'lost'] += 1;
    }
    this.#cache.clear();
    return forgotten;
  }

  #check(offset: number, length: number): void {
    if (offset % SECTOR || length % SECTOR || offset + length > this.size)
      throw new RangeError(`${length} bytes at ${offset} are not sectors of a disk of ${this.size} bytes`);
  }
}
