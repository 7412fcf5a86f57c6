/** A turn that takes longer is passed on all the same: whoever has it may hang. */
const MAX_TURN_MS = 120_000;

/** Work that only one process of a machine does at a time, because of the memory and the core it takes. */
export class Turns<Holder> {
  #current: Holder | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: { holder: Holder; begin: () => void }[] = [];

  /** Resolves when it is the holder's turn. */
  take(holder: Holder): Promise<void> {
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    this.#waiting.push({ holder, begin });
    if (this.#current === undefined) this.#next();
    return promise;
  }

  /** Also for one that ended: it waits no longer, and its turn is over. */
  end(holder: Holder): void {
    this.#waiting = this.#waiting.filter((one) => one.holder !== holder);
    if (this.#current === holder) this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const next = this.#waiting.shift();
    this.#current = next?.holder;
    if (!next) return;
    this.#timer = setTimeout(() => this.#next(), MAX_TURN_MS).unref();
    next.begin();
  }
}
