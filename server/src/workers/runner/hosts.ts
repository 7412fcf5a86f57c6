import { HostLimiter } from '../../net/fetch/host-limiter.ts';

/** Concurrent connections per host, over the whole fleet. */
const PER_HOST = 2;
/** Rows claimed per host: the next ones are ready while two are under way. */
export const IN_HAND_PER_HOST = 8;
/** How long a host that other workers are busy with is left to them. */
const LEFT_MS = 5000;
const MAX_QUEUE = 1000;

/**
 * The hosts whose feeds or streams a worker has claimed. Claimed rows wait here for their turn, not inside a fetch
 * that has a deadline.
 */
export class Hosts {
  readonly #inHand = new Map<string, number>();
  readonly #left = new Map<string, number>();
  /** Hosts with more due than could be claimed: the rest stays in their backlog. */
  readonly #backlogged = new Set<string>();
  readonly #turns = new HostLimiter(PER_HOST, MAX_QUEUE);
  readonly #running: HostLimiter;

  constructor(concurrency: number) {
    this.#running = new HostLimiter(concurrency, MAX_QUEUE);
  }

  /**
   * The hosts with more rows claimed than may run concurrently, and how many, and those with a backlog; hosts left to
   * others count as full. The other hosts, hundreds of them, need not be sent with each claim.
   */
  busy(nowMs: number): Map<string, number> {
    const busy = new Map<string, number>();
    for (const host of this.#backlogged) busy.set(host, this.#inHand.get(host) ?? 0);
    for (const [host, inHand] of this.#inHand) if (inHand > PER_HOST) busy.set(host, inHand);
    for (const [host, until] of this.#left)
      if (until <= nowMs) this.#left.delete(host);
      else busy.set(host, IN_HAND_PER_HOST);
    return busy;
  }

  /** Counts claimed rows; `busy` is what was passed to the claim. */
  take(claimed: readonly string[], busy: ReadonlyMap<string, number>): void {
    const filled = new Map(busy);
    for (const host of claimed) {
      this.#inHand.set(host, (this.#inHand.get(host) ?? 0) + 1);
      filled.set(host, (filled.get(host) ?? 0) + 1);
    }
    for (const [host, inHand] of filled)
      if (inHand >= IN_HAND_PER_HOST) this.#backlogged.add(host);
      else this.#backlogged.delete(host);
  }

  give(host: string): void {
    const left = (this.#inHand.get(host) ?? 1) - 1;
    if (left > 0) this.#inHand.set(host, left);
    else this.#inHand.delete(host);
  }

  /** Other workers are already at their limit. */
  leave(host: string, nowMs: number): void {
    this.#left.set(host, nowMs + LEFT_MS);
  }

  /** Runs the work when the host has a free slot. */
  async inTurn<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    // A free slot goes to whoever asks, even to a row claimed at the last moment.
    signal.throwIfAborted();
    const turn = await this.#turns.take(host, { signal });
    let slot: Disposable | undefined;
    try {
      slot = await this.#running.take('all', { signal });
      return await work();
    } finally {
      slot?.[Symbol.dispose]();
      turn[Symbol.dispose]();
    }
  }
}
