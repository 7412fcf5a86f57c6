import type { ServerResponse } from 'node:http';

/** A page that is told what happens, as it happens, until one of the two goes. */
export interface EventStream {
  /** One line of text; nothing after the end. */
  send(event: string, data: string): void;
  onEnd(listener: () => void): void;
}

/** What a reader has not fetched. One that is this far behind will not catch up, and must not be kept in memory. */
const MOST_UNREAD_BYTES = 64 * 1024;
const LAST_FETCH_MS = 2000;
/** A reader comes back by itself; not all at once when a process goes. */
const RETRY_MS = 3000;

const HEADERS = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'private, no-cache, no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ['Referrer-Policy', 'no-referrer'],
  // The usual proxies gather an answer before they hand it on.
  ['X-Accel-Buffering', 'no'],
  // Whoever comes next on this connection would wait for ever.
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

  /** A comment, so that nobody between takes the silence for an end. */
  beat(): void {
    this.#write(':\n\n');
  }

  /** What is left is sent to who fetches it; who does not keeps neither the connection nor its place. */
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
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  }
}
