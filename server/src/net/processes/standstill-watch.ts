/** Asked so often without an answer. An event loop that is only busy answers in between. */
const MAX_UNANSWERED = 6;

/**
 * Finds out which processes stand still: one in an endless loop is connected and ends by itself never, and what comes to it is
 * not answered. Rounds are counted, not seconds, so that a machine that slept finds nobody late.
 */
export class StandstillWatch<Holder> {
  /** Of those that have answered once: a program that does not know the question never does. */
  readonly #unanswered = new Map<Holder, number>();

  /** Asks each of them; those that have been asked in vain for a while. */
  look(holders: readonly Holder[], ask: (holder: Holder) => void): Holder[] {
    return holders.filter((holder) => {
      const unanswered = this.#unanswered.get(holder);
      if (unanswered !== undefined) this.#unanswered.set(holder, unanswered + 1);
      ask(holder);
      return unanswered !== undefined && unanswered >= MAX_UNANSWERED;
    });
  }

  hear(holder: Holder): void {
    this.#unanswered.set(holder, 0);
  }

  forget(holder: Holder): void {
    this.#unanswered.delete(holder);
  }
}
