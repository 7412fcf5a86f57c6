import { write, writeSync } from 'node:fs';

/** Few lines are worth a write of their own: one per line costs a request more than its routing does. */
const WORTH_WRITING_BYTES = 4096;
const EVERY_MS = 1000;
/** What waits for a disk or a reader that takes nothing; more is lost, and counted. */
const MAX_WAITING_BYTES = 256 * 1024;
/** At the end of the process, for a reader that is slow; one that takes nothing has to be left behind. */
const LAST_TRIES = 20;
const TRY_AGAIN_MS = 50;

/**
 * Lines on their way to standard output, gathered up to 4 KiB or a second. A log that cannot be written, because its disk is full
 * or who read it has gone, stops nothing: lines wait for room and are tried again each second, and the process can end without it.
 * (pino's own destination tries for ever at the end, when the disk is full.)
 */
export class LogOutput {
  readonly #file: number;
  readonly #onLost: (lines: number) => void;
  #isStarted = false;
  /** Not yet given to the system. */
  #lines = '';
  /** Given to the system, which has not taken all of it. */
  #rest = Buffer.alloc(0);
  #waitingBytes = 0;
  #isWriting = false;
  #isFailing = false;
  #lost = 0;
  #whenTried: (() => void)[] = [];

  constructor(onLost: (lines: number) => void, file = 1) {
    this.#file = file;
    this.#onLost = onLost;
  }

  write(line: string): void {
    if (!this.#isStarted) this.#start();
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.#lost += 1;
      return;
    }
    this.#lines += line;
    this.#waitingBytes += bytes;
    // While nothing is taken, not every line has to learn that.
    if (this.#waitingBytes >= WORTH_WRITING_BYTES && !this.#isFailing) this.#send();
  }

  /** Calls back when all of it is written, or cannot be. */
  flush(whenTried: () => void = () => undefined): void {
    this.#whenTried.push(whenTried);
    this.#send();
  }

  /** The last chance, when the process ends: what the system is writing already is not written twice. */
  flushSync(): void {
    const unsent = Buffer.from(this.#lines);
    const rest = this.#writeNow(this.#isWriting ? unsent : Buffer.concat([this.#rest, unsent]));
    this.#lines = this.#isWriting ? rest.toString() : '';
    if (!this.#isWriting) this.#rest = rest;
    this.#count();
  }

  #start(): void {
    this.#isStarted = true;
    setInterval(() => this.#send(), EVERY_MS).unref();
    process.on('exit', () => this.flushSync());
  }

  #count(): void {
    this.#waitingBytes = this.#rest.length + Buffer.byteLength(this.#lines);
  }

  #send(): void {
    if (this.#isWriting) return;
    if (this.#waitingBytes === 0) {
      this.#tried();
      return;
    }
    this.#rest = Buffer.concat([this.#rest, Buffer.from(this.#lines)]);
    this.#lines = '';
    this.#isWriting = true;
    write(this.#file, this.#rest, (error, bytes) => this.#written(error, bytes));
  }

  #written(error: Error | null, bytes: number): void {
    this.#isWriting = false;
    this.#isFailing = error !== null;
    if (error) {
      this.#tried();
      if (isForNow(error)) setTimeout(() => this.#send(), TRY_AGAIN_MS).unref();
      return;
    }
    this.#rest = this.#rest.subarray(bytes);
    this.#count();
    if (this.#rest.length === 0) this.#tellLost();
    if (this.#rest.length > 0 || this.#waitingBytes >= WORTH_WRITING_BYTES || this.#whenTried.length > 0)
      this.#send();
  }

  #tellLost(): void {
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) this.#onLost(lost);
  }

  #tried(): void {
    for (const whenTried of this.#whenTried.splice(0)) whenTried();
  }

  /** What could not be written. */
  #writeNow(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    let rest = bytes;
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES;) {
      try {
        rest = rest.subarray(writeSync(this.#file, rest));
      } catch (error) {
        if (!isForNow(error)) break;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_MS);
      }
    }
    return rest;
  }
}

/** A pipe that is full, not one whose reader has gone. */
function isForNow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
