/** One request as the farm saw it. `status` is 0 where who asked left before the answer. */
export interface Request {
  status: number;
  /** Whether it said what it has already. */
  isConditional: boolean;
  /** Whether it went to where the feed moved. */
  hasMoved: boolean;
}

/** What was asked in a round. */
export interface Report {
  round: number;
  connections: number;
  /** Most connections at once to any host since the farm began, and to which. */
  mostAtOnce: number;
  mostAt: string;
  /** Requests by the number of their feed. */
  requests: Record<string, Request[]>;
}

export class Ledger {
  round = 1;
  #requests: Record<string, Request[]> = {};

  note(number: number, request: Request): void {
    (this.#requests[number] ??= []).push(request);
  }

  nextRound(): void {
    this.round += 1;
    this.#requests = {};
  }

  get requests(): Record<string, Request[]> {
    return this.#requests;
  }
}
