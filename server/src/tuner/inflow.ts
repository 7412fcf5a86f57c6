import type { Socket } from 'node:net';
import { type Head, HeadReader } from '../formats/icy/head-reader.ts';
import type { Patience } from '../lib/fetch-safely/patience.ts';
import { Block } from './block.ts';
import { Framing } from './framing.ts';

/** Nothing more is taken from a connection while so much of it is there that nobody wants. */
const MOST_UNWANTED = 16 * 1024;
/** Titles are small beside the sound; who sends more of them than sound has sent enough. */
const MOST_OVERHEAD = 64 * 1024;

/** What is waited for: the head, so many bytes of what follows it, or a title among them. */
interface Wanted {
  bytes: number;
  isTitleEnough: boolean;
  tell: () => void;
  fail: (error: unknown) => void;
}

/**
 * What comes over one connection: a head and, side by side in one block, the bytes after it without chunks and titles.
 * Nothing is copied twice and nobody is woken before there is what they wait for. The block is another connection's when
 * this one is disposed of.
 */
export class Inflow implements Disposable {
  head: Head | undefined;
  /** All that came after the head, titles too. */
  bytes = 0;
  #reader: HeadReader | undefined = new HeadReader();
  #framing: Framing | undefined;
  #socket: Socket | undefined;
  readonly #block = new Block();
  #most = MOST_UNWANTED;
  #isEnded = false;
  #error: unknown;
  #wanted: Wanted | undefined;

  /** What comes before anything is asked is kept too. */
  readonly take = (piece: Buffer): boolean => {
    try {
      this.#read(piece);
    } catch (error) {
      this.#error ??= error;
    }
    this.#tell();
    return this.#block.length < this.#most && this.#error === undefined;
  };

  /** A connection whose bytes go to `take`. */
  attach(socket: Socket): void {
    this.#socket = socket;
    const end = (): void => {
      this.#isEnded = true;
      this.#tell();
    };
    socket.on('error', (error) => (this.#error ??= this.#isEnded ? undefined : error));
    socket.on('end', end).on('close', end);
  }

  get titles(): readonly string[] {
    return this.#framing?.titles ?? [];
  }

  /** What came after the head so far. Not to be looked at after the next wait: then it is elsewhere, or gone. */
  get body(): Buffer {
    return this.#block.bytes;
  }

  /** Waits for the head; without one the connection ended before it. Nothing to wait for where it is there. */
  untilHead(patience: Patience, ms: number): Promise<void> | undefined {
    return this.#until('answer', patience, ms, 0, false);
  }

  /** Waits until so much of the body is there, or all there is, or a title among it where that is enough. */
  untilBody(patience: Patience, ms: number, bytes: number, isTitleEnough = false): Promise<void> | undefined {
    if (bytes > this.#most) this.#goOn(bytes);
    return this.#until('body', patience, ms, bytes, isTitleEnough);
  }

  /** Whether that much is there; titles without end are as good as sound. */
  isThere(bytes: number, isTitleEnough = false): boolean {
    if (!this.head) return false;
    if (this.#block.length >= bytes || (isTitleEnough && this.titles.length > 0)) return true;
    return this.bytes > 2 * bytes + MOST_OVERHEAD;
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#socket?.destroy();
    this.#block[Symbol.dispose]();
    this.#tell();
    // The connection knows us, and Node keeps it until the next full garbage collection: no more than need be with it.
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
    for (const part of framing.push(raw)) this.#block.add(part);
    this.#isEnded ||= framing.isDone;
  }

  #goOn(bytes: number): void {
    const isFull = this.#block.length >= this.#most;
    this.#most = bytes;
    if (isFull) this.#socket?.resume();
  }

  #until(
    step: 'answer' | 'body',
    patience: Patience,
    ms: number,
    bytes: number,
    isTitleEnough: boolean,
  ): Promise<void> | undefined {
    if (this.isThere(bytes, isTitleEnough)) return undefined;
    return patience.wait<void>(step, ms, (tell, fail) => {
      this.#wanted = { bytes, isTitleEnough, tell, fail };
      this.#tell();
    });
  }

  #tell(): void {
    const wanted = this.#wanted;
    if (!wanted) return;
    const isDone = this.#isEnded || this.isThere(wanted.bytes, wanted.isTitleEnough);
    if (this.#error === undefined && !isDone) return;
    this.#wanted = undefined;
    if (this.#error === undefined) wanted.tell();
    else wanted.fail(this.#error);
  }
}
