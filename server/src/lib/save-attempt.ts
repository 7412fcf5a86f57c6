import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller was already told that nothing was saved, so nothing may be committed. */
class AttemptOver extends Error {
  override name = 'AttemptOver';

  constructor() {
    super('the caller was told that nothing was saved, so the transaction is rolled back');
  }
}

/**
 * SQLSTATEs after which the server may have committed all the same: the connection, the server or its disk is failing,
 * or it reports that it does not know. Any other SQLSTATE means it has not committed.
 */
const UNSURE = /^(?:08|57P|58|XX|40003)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Tracks the commits of one call. If the answer to a COMMIT is lost, it may or may not have happened, and there is no
 * way to know while the database is silent. So a caller may only be told that nothing was saved if no commit was sent,
 * and from then on none may be sent. Everything called inside `run` is part of the attempt.
 */
export class SaveAttempt {
  static readonly #current = new AsyncLocalStorage<SaveAttempt>();
  /** Commits sent, except those that the database rejected. */
  #sent = 0;
  #isOver = false;

  run<T>(work: () => Promise<T>): Promise<T> {
    return SaveAttempt.#current.run(this, work);
  }

  /** Ends the attempt: nothing is committed from now on. True if something was, or may have been. */
  end(): boolean {
    this.#isOver = true;
    return this.#sent > 0;
  }

  /** Sends a COMMIT or an autocommit statement; outside an attempt nothing is recorded. */
  static async commit<T>(send: () => Promise<T>): Promise<T> {
    const attempt = this.#current.getStore();
    return attempt ? attempt.#commit(send) : send();
  }

  /** For incidental writes, which the answer does not mention whether they succeed or fail. */
  static aside<T>(work: () => Promise<T>): Promise<T> {
    return this.#current.exit(work);
  }

  async #commit<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new AttemptOver();
    this.#sent += 1;
    try {
      return await send();
    } catch (error) {
      if (isRefused(error)) this.#sent -= 1;
      throw error;
    }
  }
}

function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SQLSTATE.test(code) && !UNSURE.test(code);
}
