import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const HEAD_END = '\r\n\r\n';

export interface RadioOptions {
  /** Further lines of the request, each with its end. */
  headers?: string;
  method?: string;
  version?: string;
  /** The address that it calls from. */
  from?: string;
  /** False: what arrives is counted, and not kept. */
  keeps?: boolean;
}

/** A radio that listens: what it has received, and how long it waited for it. */
export class Radio implements Disposable {
  readonly socket: Socket;
  readonly ended: Promise<unknown>;
  /** Of sound, without the head. */
  bytes = 0;
  head = '';
  longestSilenceMs = 0;
  lastByteMs = performance.now();
  readonly #kept: Buffer[] = [];
  readonly #keeps: boolean;

  constructor(port: number, path: string, options: RadioOptions = {}) {
    const { headers = '', method = 'GET', version = 'HTTP/1.0', keeps = true } = options;
    const localAddress = options.from ?? '127.0.0.1';
    this.#keeps = keeps;
    this.socket = connect({ port, host: '127.0.0.1', localAddress }, () =>
      this.socket.write(`${method} ${path} ${version}\r\n${headers}\r\n`),
    );
    this.ended = once(this.socket, 'close').catch(() => undefined);
    this.socket.on('error', () => undefined).on('data', (piece: Buffer) => this.#take(piece));
  }

  get body(): Buffer {
    return Buffer.concat(this.#kept);
  }

  get isClosed(): boolean {
    return this.socket.closed;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #take(piece: Buffer): void {
    const now = performance.now();
    if (this.bytes > 0) this.longestSilenceMs = Math.max(this.longestSilenceMs, now - this.lastByteMs);
    this.lastByteMs = now;
    const sound = this.head === '' ? this.#afterHead(piece) : piece;
    this.bytes += sound.length;
    if (this.#keeps) this.#kept.push(sound);
  }

  /** The relay writes its head at once. */
  #afterHead(piece: Buffer): Buffer {
    const end = piece.indexOf(HEAD_END);
    assert.notEqual(end, -1, 'the head comes in one piece');
    this.head = piece.toString('latin1', 0, end);
    return piece.subarray(end + HEAD_END.length);
  }
}

/** Waits for a condition, for as long as a busy machine may need. */
export async function until(what: string, isSo: () => boolean, withinMs = 60_000): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo(); await sleep(10))
    if (performance.now() > end) assert.fail(`not in time: ${what}`);
}
