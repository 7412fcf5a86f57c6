import { Fault } from '../lib/fault.ts';
import { LIMITS } from './limits.ts';

/**
 * A call that is not answered now: too many (429) or too much at once (503). The only answers whose HTTP status is not
 * 200, because a device that ignores them must not take them for an empty menu.
 */
export class Refusal extends Fault {
  override name = 'Refusal';
  readonly retryAfterSeconds: number;

  constructor(status: 429 | 503, code: string, message: string, retryAfterSeconds: number) {
    super(status, code, message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const overloaded = (): Refusal =>
  new Refusal(
    503,
    'request.overloaded',
    'The directory is busy; try again in a few seconds',
    LIMITS.retryAfterSeconds,
  );

export const tooSlow = (): Refusal =>
  new Refusal(
    503,
    'request.timeout',
    'The directory took too long; try again in a few seconds',
    LIMITS.retryAfterSeconds,
  );
