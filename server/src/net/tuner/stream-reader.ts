import type { Socket } from 'node:net';
import { ChunkedBody, type Head, HeadReader } from '../../formats/icy/head-reader.ts';
import { IcySplitter, parseMetaint } from '../../formats/icy/icy-splitter.ts';
import type { Deadline } from '../fetch/deadline.ts';

/** Unrequested bytes after which reading pauses. */
const MAX_UNWANTED = 16 * 1024;
/** Titles are small beside the audio; a stream with more of them than this is treated as complete. */
const MAX_OVERHEAD = 64 * 1024;

/** Once handed over, so much is read until `resume`, whatever it is: a station may send nothing but titles. */
const MAX_HANDED = 512 * 1024;

/** What the reader waits for: the head, a number of body bytes, or a title. */
interface Wanted {
  bytes: number;
  isTitleEnough: boolean;
  resolve: () => void;
  fail: (error: unknown) => void;
}

/** Takes the body of a stream piece by piece, for as long as it goes on. */
export interface BodyTaker {
  /** Must copy what it keeps. When it returns false, reading stops until `resume`. */
  body(piece: Buffer): boolean;
  /** A title that differs from the last one; it belongs to what follows. */
  title(title: string): void;
  /** Once; without an error when the server ended it. */
  ended(error: unknown): void;
}

/**
 * Reads one connection: the head, then the body without chunk framing and titles, contiguous in one buffer. Bytes are
 * copied once, and a waiter wakes only when its data is complete. The buffer is reused after disposal.
 */
export class StreamReader implements Disposable {
  head: Head | undefined;
  /** All bytes after the head, including titles. */
  bytes = 0;
  #reader: HeadReader | undefined = new HeadReader();
  #framing: Framing | undefined;
  #socket: Socket | undefined;
  readonly #block = new PooledBuffer();
  #most = MAX_UNWANTED;
  #isEnded = false;
  #error: unknown;
  #wanted: Wanted | undefined;
  #taker: BodyTaker | undefined;
  #goesOn = true;
  #handed = 0;

  /** Data that arrives before the first wait is buffered too. */
  readonly take = (piece: Buffer): boolean => {
    try {
      this.#read(piece);
    } catch (error) {
      this.#error ??= error;
    }
    this.#notify();
    if (this.#taker) return this.#goesOn;
    return this.#block.length < this.#most && this.#error === undefined;
  };

  /** What arrived and what still arrives goes to the taker, and nothing is kept here any more. */
  handOver(taker: BodyTaker): void {
    const title = this.#framing?.latestTitle;
    if (title !== undefined) taker.title(title);
    this.#taker = taker;
    this.#goesOn = taker.body(this.#block.bytes);
    this.#block[Symbol.dispose]();
    this.#notify();
    if (this.#goesOn) this.#socket?.resume();
  }

  /** Until `resume` the system keeps what arrives. */
  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#goesOn = true;
    this.#handed = 0;
    this.#socket?.resume();
  }

  /** A connection whose data goes to `take`. */
  attach(socket: Socket): void {
    this.#socket = socket;
    const end = (): void => {
      this.#isEnded = true;
      this.#notify();
    };
    socket.on('error', (error) => (this.#error ??= this.#isEnded ? undefined : error));
    socket.on('end', end).on('close', end);
  }

  get titles(): readonly string[] {
    return this.#framing?.titles ?? [];
  }

  /** The body so far. Invalid after the next wait, which may move or free it. */
  get body(): Buffer {
    return this.#block.bytes;
  }

  /** Waits for the head; resolves without one if the connection ended first. Undefined when it has already arrived. */
  untilHead(deadline: Deadline, ms: number): Promise<void> | undefined {
    return this.#until('answer', deadline, ms, 0, false);
  }

  /** Waits for that many body bytes, the end, or with `isTitleEnough` a title. */
  untilBody(deadline: Deadline, ms: number, bytes: number, isTitleEnough = false): Promise<void> | undefined {
    if (bytes > this.#most) this.#goOn(bytes);
    return this.#until('body', deadline, ms, bytes, isTitleEnough);
  }

  /** Whether that many bytes have arrived; endless titles count as audio. */
  isThere(bytes: number, isTitleEnough = false): boolean {
    if (!this.head) return false;
    if (this.#block.length >= bytes || (isTitleEnough && this.titles.length > 0)) return true;
    return this.bytes > 2 * bytes + MAX_OVERHEAD;
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#taker = undefined;
    this.#socket?.destroy();
    this.#block[Symbol.dispose]();
    this.#notify();
    // Node keeps the socket, which references this reader, until the next full garbage collection: release what we can.
    this.#socket = undefined;
    this.#framing = undefined;
    this.head = undefined;
  }

  #read(piece: Buffer): void {
    if (this.#isEnded) return;
    if (this.#framing) return this.#keep(this.#framing, piece);
    this.head = this.#reader?.push(piece);
    if (!this.head) return;
    this.#reader = undefined;
    this.#framing = new Framing(this.head);
    this.#keep(this.#framing, this.head.rest);
  }

  #keep(framing: Framing, raw: Buffer): void {
    this.bytes += raw.length;
    const before = framing.latestTitle;
    for (const part of framing.push(raw))
      if (this.#taker) this.#goesOn = this.#taker.body(part);
      else this.#block.add(part);
    if (this.#taker) this.#handed += raw.length;
    if (this.#handed > MAX_HANDED) this.#goesOn = false;
    if (this.#taker && framing.latestTitle !== undefined && framing.latestTitle !== before)
      this.#taker.title(framing.latestTitle);
    this.#isEnded ||= framing.isDone;
  }

  #goOn(bytes: number): void {
    const isFull = this.#block.length >= this.#most;
    this.#most = bytes;
    if (isFull) this.#socket?.resume();
  }

  #until(
    step: 'answer' | 'body',
    deadline: Deadline,
    ms: number,
    bytes: number,
    isTitleEnough: boolean,
  ): Promise<void> | undefined {
    if (this.isThere(bytes, isTitleEnough)) return undefined;
    return deadline.wait<void>(step, ms, (resolve, fail) => {
      this.#wanted = { bytes, isTitleEnough, resolve, fail };
      this.#notify();
    });
  }

  #notify(): void {
    if (this.#taker && (this.#isEnded || this.#error !== undefined)) {
      const taker = this.#taker;
      this.#taker = undefined;
      taker.ended(this.#error);
    }
    const wanted = this.#wanted;
    if (!wanted) return;
    const isDone = this.#isEnded || this.isThere(wanted.bytes, wanted.isTitleEnough);
    if (this.#error === undefined && !isDone) return;
    this.#wanted = undefined;
    if (this.#error === undefined) wanted.resolve();
    else wanted.fail(this.#error);
  }
}

const BLOCK_BYTES = 32 * 1024;
/** About as many as the largest worker reads concurrently; more are left to the garbage collector. */
const MAX_FREE = 200;
const NOTHING = Buffer.alloc(0);
const freeBlocks: Buffer[] = [];

function giveBack(memory: Buffer): void {
  if (memory.length === BLOCK_BYTES && freeBlocks.length < MAX_FREE) freeBlocks.push(memory);
}

/**
 * A contiguous buffer in reused memory: allocating it was a third of the cost of a probe. Its contents are invalid
 * after the next wait, and after disposal.
 */
export class PooledBuffer implements Disposable {
  #memory: Buffer | undefined = freeBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
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

const MAX_TITLES = 20;

/** Extracts the body from what follows the head, up to its declared end, and collects titles. */
class Framing {
  /** Each one that differs from the previous; empty when the station sends none. */
  readonly titles: string[] = [];
  /** However many there were. */
  latestTitle: string | undefined;
  readonly #chunked: ChunkedBody | undefined;
  readonly #splitter: IcySplitter | undefined;
  #left: number;

  constructor({ headers }: Pick<Head, 'headers'>) {
    const isChunked = headers.get('transfer-encoding')?.toLowerCase().endsWith('chunked') ?? false;
    this.#chunked = isChunked ? new ChunkedBody() : undefined;
    this.#left = isChunked ? Infinity : lengthOf(headers.get('content-length'));
    const metaint = parseMetaint(headers.get('icy-metaint'));
    this.#splitter = metaint === undefined ? undefined : new IcySplitter(metaint);
  }

  get isDone(): boolean {
    return this.#left <= 0 || this.#chunked?.isDone === true;
  }

  /** The body bytes in this piece. Throws `BadAnswer`. */
  push(raw: Buffer): readonly Buffer[] {
    const piece = this.#bodyOf(raw);
    this.#left -= piece.length;
    if (!this.#splitter) return [piece];
    const { audio, titles } = this.#splitter.push(piece);
    for (const title of titles) {
      this.latestTitle = title;
      if (title !== this.titles.at(-1) && this.titles.length < MAX_TITLES) this.titles.push(title);
    }
    return audio;
  }

  #bodyOf(raw: Buffer): Buffer {
    if (this.#chunked) return this.#chunked.push(raw);
    return raw.length <= this.#left ? raw : raw.subarray(0, this.#left);
  }
}

/** Live streams send none, or a wrong one; it is only used to end a body early. */
function lengthOf(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : Infinity;
}
