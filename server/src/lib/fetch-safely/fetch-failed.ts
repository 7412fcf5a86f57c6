/** What a fetch was at when it failed. */
export type Step = 'lookup' | 'connect' | 'secure' | 'answer' | 'body' | 'whole';

const NAMES: Readonly<Record<Step, string>> = {
  lookup: 'the look-up of the name',
  connect: 'the connection',
  secure: 'the agreement on TLS',
  answer: 'the wait for an answer',
  body: 'the reading of the answer',
  whole: 'the fetch',
};

/** Somebody else's server did not do its part; worth another try later. */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
  readonly step: Step;
  readonly isLate: boolean;

  private constructor(step: Step, how: string, isLate: boolean, cause?: unknown) {
    super(`${NAMES[step]} ${how}`, cause === undefined ? {} : { cause });
    this.step = step;
    this.isLate = isLate;
  }

  static late(step: Step, ms: number): FetchFailed {
    return new FetchFailed(step, `took longer than ${ms} ms`, true);
  }

  /** Only the code of the cause is told: its words may be those of the other side. */
  static because(step: Step, cause: unknown): FetchFailed {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return new FetchFailed(step, typeof code === 'string' ? `failed (${code})` : 'failed', false, cause);
  }
}
