import { Seats } from '../lib/fetch-safely/seats.ts';

/** What may be asked of a host at once, here and everywhere. */
const PER_HOST = 2;
/** In hand for each: while two are asked the next ones are there already. */
export const IN_HAND_PER_HOST = 8;
/** A host that other workers are asking is left to them for so long. */
const LEFT_MS = 5000;
const LONGEST_LINE = 1000;

/**
 * The hosts whose feeds or streams a worker has in hand. These wait here for their turn, not inside a fetch that has a
 * deadline.
 */
export class Hosts {
  readonly #inHand = new Map<string, number>();
  readonly #left = new Map<string, number>();
  /** Of which there was more than could be taken in hand: the rest stands in a line. */
  readonly #crowded = new Set<string>();
  readonly #turns = new Seats(PER_HOST, LONGEST_LINE);
  readonly #asking: Seats;

  constructor(atOnce: number) {
    this.#asking = new Seats(atOnce, LONGEST_LINE);
  }

  /**
   * The hosts of which more are in hand than may be asked at once, and how many, and those that have a line; of those left
   * to others, as many as may be. The others, hundreds of them, need not be told whenever something is claimed.
   */
  busy(nowMs: number): Map<string, number> {
    const busy = new Map<string, number>();
    for (const host of this.#crowded) busy.set(host, this.#inHand.get(host) ?? 0);
    for (const [host, inHand] of this.#inHand) if (inHand > PER_HOST) busy.set(host, inHand);
    for (const [host, until] of this.#left)
      if (until <= nowMs) this.#left.delete(host);
      else busy.set(host, IN_HAND_PER_HOST);
    return busy;
  }

  /** Those that were claimed are in hand; `busy` is what was told for the claim. */
  take(claimed: readonly string[], busy: ReadonlyMap<string, number>): void {
    const filled = new Map(busy);
    for (const host of claimed) {
      this.#inHand.set(host, (this.#inHand.get(host) ?? 0) + 1);
      filled.set(host, (filled.get(host) ?? 0) + 1);
    }
    for (const [host, inHand] of filled)
      if (inHand >= IN_HAND_PER_HOST) this.#crowded.add(host);
      else this.#crowded.delete(host);
  }

  give(host: string): void {
    const left = (this.#inHand.get(host) ?? 1) - 1;
    if (left > 0) this.#inHand.set(host, left);
    else this.#inHand.delete(host);
  }

  /** Others ask it already. */
  leave(host: string, nowMs: number): void {
    this.#left.set(host, nowMs + LEFT_MS);
  }

  /** Does the work when it is the host's turn, and one of those that may be asked at once. */
  async inTurn<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    // A seat that is free is given to whoever asks, also to what was claimed at the last moment.
    signal.throwIfAborted();
    const turn = await this.#turns.take(host, { signal });
    let seat: Disposable | undefined;
    try {
      seat = await this.#asking.take('all', { signal });
      return await work();
    } finally {
      seat?.[Symbol.dispose]();
      turn[Symbol.dispose]();
    }
  }
}
