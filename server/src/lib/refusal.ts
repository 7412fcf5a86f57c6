import { Fault } from './fault.ts';

/**
 * A call that is not answered now: too many (429) or too much at once (503). The only answers whose HTTP status is not
 * 200, because a device that ignores them must not take them for an empty menu.
 */
export class Refusal extends Fault {
  override name = 'Refusal';
  readonly retryAfterSeconds: number;
  /** How long the answer is held back: who asks again at once, whatever it is told, asks so much less often. */
  readonly holdMs: number;

  constructor(status: 429 | 503, code: string, message: string, retryAfterSeconds: number, holdMs = 0) {
    super(status, code, message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.holdMs = holdMs;
  }

  /** The same for a call that has waited so long already. */
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
