import { Refusal } from '../lib/refusal.ts';
import type { OpenStream } from './event-stream.ts';

/** A connection and some kilobytes each. */
const MOST = 2000;
/** A household's pages; a browser opens six to a host at most. */
const MOST_OF_ADDRESS = 12;
/** Shorter than sockets and the usual proxies wait. */
const BEAT_MS = 15_000;
/** Whoever listens longer comes back, maybe to a process with less to do. */
const LONGEST_MS = 30 * 60_000;
const RETRY_SECONDS = 30;

export interface StreamLimits {
  most?: number;
  mostOfAddress?: number;
  beatMs?: number;
  longestMs?: number;
}

/** The streams that are open, within their bounds; one timer keeps them all alive. */
export class OpenStreams {
  readonly #open = new Map<OpenStream, string>();
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: Required<StreamLimits>;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: StreamLimits = {}) {
    this.#limits = {
      most: MOST,
      mostOfAddress: MOST_OF_ADDRESS,
      beatMs: BEAT_MS,
      longestMs: LONGEST_MS,
      ...limits,
    };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Refuses who would be one too many. */
  requireRoom(address: string): void {
    if ((this.#ofAddress.get(address) ?? 0) >= this.#limits.mostOfAddress)
      throw new Refusal(
        429,
        'request.tooMany',
        'This address listens to as many streams as it may; close one',
        RETRY_SECONDS,
      );
    if (this.#open.size >= this.#limits.most)
      throw new Refusal(
        503,
        'request.overloaded',
        'Too many listen at once; ask Describe.ashx?c=nowplaying instead, or try again later',
        RETRY_SECONDS,
      );
  }

  add(stream: OpenStream, address: string): void {
    this.#open.set(stream, address);
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
    const late = setTimeout(() => stream.end(), this.#limits.longestMs).unref();
    this.#timer ??= setInterval(() => this.#beat(), this.#limits.beatMs).unref();
    stream.onEnd(() => {
      clearTimeout(late);
      this.#drop(stream, address);
    });
  }

  /** Lets everybody go, to come back elsewhere. */
  endAll(): void {
    for (const stream of this.#open.keys()) stream.end();
  }

  #beat(): void {
    for (const stream of this.#open.keys()) stream.beat();
  }

  #drop(stream: OpenStream, address: string): void {
    if (!this.#open.delete(stream)) return;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
