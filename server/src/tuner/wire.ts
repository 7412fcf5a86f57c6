import type { Socket } from 'node:net';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';

/** Nothing more is taken from a connection while so much of it is unread. */
const MOST_UNREAD = 16 * 1024;

/**
 * Reads a connection piece by piece, as fast as the pieces are asked for. The stream's own iterator closes the connection
 * when a loop is left, and a stream is read in several: head, first bytes, rest.
 */
export class Wire implements Disposable {
  #socket: Socket | undefined;
  #pieces: Buffer[] = [];
  #unread = 0;
  #isFull = false;
  #wake: (() => void) | undefined;
  #error: unknown;
  #signal: AbortSignal | undefined;
  #isLeft = false;

  /** What comes before anything is asked waits here too. */
  readonly take = (piece: Buffer): boolean => {
    this.#pieces.push(piece);
    this.#unread += piece.length;
    this.#isFull = this.#unread >= MOST_UNREAD;
    this.#wake?.();
    return !this.#isFull;
  };

  /** A connection whose bytes go to `take`. */
  attach(socket: Socket, signal: AbortSignal): void {
    this.#socket = socket;
    const wake = (): void => this.#wake?.();
    socket.on('error', (error) => (this.#error ??= error));
    socket.on('end', wake).on('close', wake);
    this.endWith(signal);
  }

  /** From now on that signal closes the connection, and no other. */
  endWith(signal: AbortSignal | undefined): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#signal = signal;
    if (signal?.aborted) this.#abort();
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  send(text: string): void {
    this.#socket?.write(text, 'latin1');
  }

  /** The next piece, or nothing at the end. */
  async next(): Promise<Buffer | undefined> {
    while (!this.#isLeft) {
      if (this.#error !== undefined) throw this.#error;
      const piece = this.#pieces.shift();
      if (piece) return this.#give(piece);
      if (!this.#socket || this.#socket.readableEnded || this.#socket.destroyed) return undefined;
      await new Promise<void>((wake) => (this.#wake = wake));
    }
    return undefined;
  }

  /** Does something that reads, and closes the connection when that takes longer. */
  async within<T>(step: 'answer' | 'body', ms: number, read: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#fail(FetchFailed.late(step, Math.round(ms))), ms);
    try {
      return await read();
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#isLeft = true;
    this.#pieces = [];
    this.endWith(undefined);
    this.#socket?.destroy();
    this.#wake?.();
  }

  #give(piece: Buffer): Buffer {
    this.#unread -= piece.length;
    if (this.#isFull && this.#unread < MOST_UNREAD) {
      this.#isFull = false;
      this.#socket?.resume();
    }
    return piece;
  }

  readonly #abort = (): void => this.#fail(this.#signal?.reason);

  #fail(error: unknown): void {
    this.#error ??= error ?? new Error('stopped');
    this.#socket?.destroy();
    this.#wake?.();
  }
}
