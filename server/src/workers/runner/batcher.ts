import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Combines single requests into batches. Requests that arrive while a batch is under way form the next one: a single
 * one does not wait, and under load one round trip serves hundreds.
 */
export class Batcher<Item, Outcome> {
  readonly #work: (items: Item[]) => Promise<readonly Outcome[]>;
  readonly #most: number;
  readonly #lingerMs: number;
  #waiting: Waiting<Item, Outcome>[] = [];
  #isUnderWay = false;

  /** `work` returns outcomes in the order of its items. A batch waits for further items as long as it lingers. */
  constructor(work: (items: Item[]) => Promise<readonly Outcome[]>, most = 500, lingerMs = 0) {
    this.#work = work;
    this.#most = most;
    this.#lingerMs = lingerMs;
  }

  add(item: Item): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#isUnderWay) {
      this.#isUnderWay = true;
      setImmediate(() => void this.#flush());
    }
    return promise;
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#lingerMs > 0) await sleep(this.#lingerMs);
      const batch = this.#waiting.splice(0, this.#most);
      try {
        const outcomes = await this.#work(batch.map(({ item }) => item));
        for (const [index, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) reject(new Error('the batch returned no outcome for this item'));
          else resolve(outcome);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isUnderWay = false;
  }
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}
