import { Refusal } from '../lib/refusal.ts';
import { LIMITS } from './limits.ts';

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
