/** One thing that was done on the way to the sound, told so that a person understands it. */
export interface Step {
  what: 'connect' | 'answer' | 'redirect' | 'playlist' | 'hls' | 'segment' | 'audio' | 'titles';
  address: string;
  /** How long it took. */
  ms: number;
  status?: number;
  detail: string;
}

const MOST_STEPS = 60;

/** What was done, in order; each step took the time since the one before. */
export class Journal {
  readonly steps: Step[] = [];
  #since = performance.now();

  note(what: Step['what'], address: string, detail: string, status?: number): void {
    const now = performance.now();
    const ms = Math.round(now - this.#since);
    this.#since = now;
    if (this.steps.length === MOST_STEPS) return;
    this.steps.push(
      status === undefined ? { what, address, ms, detail } : { what, address, ms, status, detail },
    );
  }
}
