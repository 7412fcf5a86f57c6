import type { FailureCode, Verdict } from '../../lib/failure-code.ts';

/** No audio arrived; the message explains why to a person. */
export class TuneInFailed extends Error {
  override name = 'TuneInFailed';
  readonly verdict: Verdict;
  readonly code: FailureCode;
  readonly steps: readonly TuneInStep[];
  /** From the server's Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** The problem is ours (no free slot, no network, stopped): it says nothing about the stream. */
  readonly isOurs: boolean;

  constructor(
    verdict: Verdict,
    detail: string,
    more: {
      code: FailureCode;
      steps: readonly TuneInStep[];
      retryAfterSeconds?: number | undefined;
      isOurs?: boolean;
      cause?: unknown;
    },
  ) {
    super(detail, more.cause === undefined ? {} : { cause: more.cause });
    this.verdict = verdict;
    this.code = more.code;
    this.steps = more.steps;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.isOurs = more.isOurs ?? false;
  }
}

/** One step on the way to the audio, described for a person. */
export interface TuneInStep {
  what: 'connect' | 'answer' | 'redirect' | 'playlist' | 'hls' | 'segment' | 'audio' | 'titles';
  address: string;
  /** How long it took. */
  ms: number;
  status?: number;
  detail: string;
}

const MAX_STEPS = 60;

/** The steps in order, each timed from the one before. */
export class Journal {
  readonly steps: TuneInStep[] = [];
  #since = performance.now();

  note(what: TuneInStep['what'], address: string, detail: string, status?: number): void {
    const now = performance.now();
    const ms = Math.round(now - this.#since);
    this.#since = now;
    if (this.steps.length === MAX_STEPS) return;
    this.steps.push(
      status === undefined ? { what, address, ms, detail } : { what, address, ms, status, detail },
    );
  }
}
