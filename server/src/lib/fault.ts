/**
 * An error that is reported to the caller: `status` and `code` go into the document's head (the codes are part of the
 * protocol, listed in docs/protocol.md), the message says what was wrong and what to do. Any other exception becomes a
 * 500.
 */
export class Fault extends Error {
  override name = 'Fault';
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * A call rejected because of load: too many calls (429) or no capacity (503). These are the only answers whose HTTP
 * status is not 200, because a device that ignores them must not take them for an empty menu.
 */
export class Refusal extends Fault {
  override name = 'Refusal';
  readonly retryAfterSeconds: number;
  /** How long to delay the answer, which slows down clients that retry immediately whatever they are sent. */
  readonly holdMs: number;

  constructor(status: 429 | 503, code: string, message: string, retryAfterSeconds: number, holdMs = 0) {
    super(status, code, message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.holdMs = holdMs;
  }

  /** The same refusal after part of the delay has passed. */
  heldFor(ms: number): Refusal {
    const { status, code = '', message, retryAfterSeconds, holdMs } = this;
    return new Refusal(
      status === 503 ? 503 : 429,
      code,
      message,
      retryAfterSeconds,
      Math.max(0, holdMs - ms),
    );
  }
}

/** Too many calls of a partner, not of the address that called: a proxy in front may let that partner wait. */
export class PartnerRefusal extends Refusal {
  override name = 'PartnerRefusal';
}

/**
 * Creates an error without a stack trace, for expected errors that occur hundreds of times a second: capturing the
 * stack costs V8 more than the rest of a refusal.
 */
export function withoutTrace<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
