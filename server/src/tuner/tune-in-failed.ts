import type { FailureCode } from '../lib/failure-code.ts';
import type { Verdict } from '../lib/verdict.ts';
import type { Step } from './step.ts';

/** No sound came; the message says why, in words for a person. */
export class TuneInFailed extends Error {
  override name = 'TuneInFailed';
  readonly verdict: Verdict;
  readonly code: FailureCode;
  readonly steps: readonly Step[];
  /** When the server asks to be left alone that long. */
  readonly retryAfterSeconds: number | undefined;
  /** The fault is ours (no seat, no line, told to stop): it says nothing of the stream. */
  readonly isOurs: boolean;

  constructor(
    verdict: Verdict,
    detail: string,
    more: {
      code: FailureCode;
      steps: readonly Step[];
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
