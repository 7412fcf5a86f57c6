/** The stage at which a fetch failed. */
export type FetchStep = 'lookup' | 'connect' | 'secure' | 'answer' | 'body' | 'whole';

const NAMES: Readonly<Record<FetchStep, string>> = {
  lookup: 'the name look-up',
  connect: 'the connection',
  secure: 'the TLS handshake',
  answer: 'waiting for a response',
  body: 'reading the response',
  whole: 'the fetch',
};

/** The remote server failed; worth retrying later. */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
  readonly step: FetchStep;
  readonly isLate: boolean;

  private constructor(step: FetchStep, how: string, isLate: boolean, cause?: unknown) {
    super(`${NAMES[step]} ${how}`, cause === undefined ? {} : { cause });
    this.step = step;
    this.isLate = isLate;
  }

  static late(step: FetchStep, ms: number): FetchFailed {
    return new FetchFailed(step, `took longer than ${ms} ms`, true);
  }

  /** Includes only the code of the cause: its message may contain the remote server's words. */
  static because(step: FetchStep, cause: unknown): FetchFailed {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return new FetchFailed(step, typeof code === 'string' ? `failed (${code})` : 'failed', false, cause);
  }
}

/** An address we refuse to connect to, with the reason; retrying does not help. */
export class UnsafeAddress extends Error {
  override name = 'UnsafeAddress';
}
