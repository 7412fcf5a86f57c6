import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller was told already that nothing was saved, so nothing may be. */
export class AttemptOver extends Error {
  override name = 'AttemptOver';

  constructor() {
    super('the caller was told that nothing was saved; what was begun is rolled back');
  }
}

/**
 * SQLSTATEs after which a server may have committed all the same: the connection, the server or its disk is going, or it
 * says itself that it does not know. Any other is its word that it has not.
 */
const UNSURE = /^(?:08|57P|58|XX|40003)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * What a call writes, for who answers it: a commit whose answer never came may have happened or not, and nobody can know
 * while the database is silent. A caller may be told that nothing was saved only if no commit was sent, and then none
 * may be sent any more. Work inside `run` is part of the attempt, whatever it calls.
 */
export class SaveAttempt {
  static readonly #current = new AsyncLocalStorage<SaveAttempt>();
  /** Commits that were sent, but for those that the database refused. */
  #sent = 0;
  #isOver = false;

  run<T>(work: () => Promise<T>): Promise<T> {
    return SaveAttempt.#current.run(this, work);
  }

  /** Ends it: nothing is committed from now on. True when something was, or may have been. */
  end(): boolean {
    this.#isOver = true;
    return this.#sent > 0;
  }

  /** Sends a COMMIT, or a statement that is committed by itself; of work outside any attempt nothing is noted. */
  static async commit<T>(send: () => Promise<T>): Promise<T> {
    const attempt = this.#current.getStore();
    return attempt ? attempt.#commit(send) : send();
  }

  /** What is written in passing, of which the caller is told nothing either way. */
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
