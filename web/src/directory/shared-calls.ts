interface Call {
  answer: Promise<unknown>;
  ending: AbortController;
  waiting: number;
}

/** One call for all who ask the same at the same time; it is aborted once none of them waits for it any more. */
export class SharedCalls {
  readonly #calls = new Map<string, Call>();

  /** Whoever gives up no longer waits, and is not told how it ended. */
  async ask<T>(key: string, ended: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const call = this.#calls.get(key) ?? this.#begin(key, begin);
    call.waiting += 1;
    ended.addEventListener('abort', () => {
      call.waiting -= 1;
      if (call.waiting > 0) return;
      call.ending.abort();
      this.#forget(key, call);
    });
    // oxlint-disable-next-line no-unsafe-type-assertion -- a key stands for one request, and so for one type
    return call.answer as Promise<T>;
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<unknown>): Call {
    const ending = new AbortController();
    const call = { answer: begin(ending.signal), ending, waiting: 0 };
    this.#calls.set(key, call);
    const forget = (): void => this.#forget(key, call);
    call.answer.then(forget, forget);
    return call;
  }

  #forget(key: string, call: Call): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}
