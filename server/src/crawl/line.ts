import { FeedTrouble } from './ask-feed.ts';
import { isUnreached } from './trouble.ts';

/** So many in a row that cannot be reached have one reason, and it is ours. */
const MOST_UNREACHED = 50;

/** Whether our own line to the internet is up, by what came over it last. */
export class Line {
  #unreached = 0;

  isUp(): void {
    this.#unreached = 0;
  }

  /** Counts a failure; an answer that says no is an answer. */
  isDown(error: unknown): boolean {
    if (isUnreached(error)) this.#unreached += 1;
    else if (error instanceof FeedTrouble) this.#unreached = 0;
    return this.#unreached > MOST_UNREACHED;
  }
}
