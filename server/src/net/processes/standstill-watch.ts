/** So many questions in a row without an answer; an event loop that is only busy answers in between. */
const MAX_UNANSWERED = 6;

/**
 * Finds out which processes stand still: one in an endless loop stays connected, never ends by itself, and answers no call.
 * Rounds are counted, not seconds, so that after the machine has slept nobody is late.
 */
export class StandstillWatch<Holder> {
  /** Of those that have answered once: a program of another version may not know the question. */
  readonly #unanswered = new Map<Holder, number>();

  /** Asks each of them, and returns those that stand still. */
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
