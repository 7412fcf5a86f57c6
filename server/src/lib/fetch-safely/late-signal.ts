/** What says that something is no longer waited for. Few of those who are given it ever look: it is made for who does. */
export interface Waiting {
  readonly signal: AbortSignal;
}

/** A signal that is made when it is first asked for. */
export class LateSignal implements Waiting {
  #controller: AbortController | undefined;
  #isOver = false;
  #reason: unknown;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  end(reason: unknown): void {
    this.#isOver = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
