import type { ServerResponse } from 'node:http';

/** Pushes events to one page until either side closes. */
export interface EventStream {
  /** Data is one line of text; ignored after the end. */
  send(event: string, data: string): void;
  onEnd(listener: () => void): void;
}

/** Unread bytes after which a slow reader is dropped instead of buffered. */
const MAX_UNREAD_BYTES = 64 * 1024;
const LAST_FETCH_MS = 2000;
/** Shortest delay before a page reconnects; up to twice as long, so that not all return together. */
const RETRY_MS = 3000;

const HEADERS = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'private, no-cache, no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ['Referrer-Policy', 'no-referrer'],
  // The usual proxies buffer responses unless told not to.
  ['X-Accel-Buffering', 'no'],
  // A later request on this connection would wait for ever.
  ['Connection', 'close'],
].flat();

export class OpenStream implements EventStream {
  readonly #response: ServerResponse;
  readonly #listeners: (() => void)[] = [];

  constructor(response: ServerResponse) {
    this.#response = response;
    response.once('close', () => {
      for (const listener of this.#listeners.splice(0)) listener();
    });
    response.writeHead(200, HEADERS);
    this.#write(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_MS)}\n\n`);
  }

  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
  }

  /** A comment, so that no proxy times out a quiet stream. */
  beat(): void {
    this.#write(':\n\n');
  }

  /** Flushes what the reader still fetches; one that does not read is disconnected. */
  end(): void {
    const response = this.#response;
    response.end();
    const late = setTimeout(() => response.destroy(), LAST_FETCH_MS).unref();
    response.once('close', () => clearTimeout(late));
  }

  onEnd(listener: () => void): void {
    if (this.#response.destroyed) listener();
    else this.#listeners.push(listener);
  }

  #write(text: string): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }
}
