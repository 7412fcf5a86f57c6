import { Fault, PartnerRefusal, Refusal } from '../../lib/fault.ts';
import { HTTP_LIMITS } from './limits.ts';

/** What the caller is told about a failed call. Each protocol writes it in its own form. */
export interface Failure {
  status: number;
  code: string | undefined;
  message: string;
  /** Rejected before the call was read: rate limit or overload. */
  isRefused: boolean;
  /** By the limit of a partner, not of an address. */
  isOfPartner: boolean;
  /** Whoever could not be served is told when to come again: also while the database is away. */
  retryAfterSeconds: number | undefined;
  /** How long to delay the answer. */
  holdMs: number;
  /** A bug or an outage: the log has the details under the request's id. */
  isUnexpected: boolean;
}

export function httpFailureOf(error: unknown, requestId: string): Failure {
  const expected = asFault(error);
  const fault =
    expected ??
    new Fault(500, undefined, `Internal error; the operator can find it in the log as ${requestId}`);
  const refusal = fault instanceof Refusal ? fault : undefined;
  return {
    status: fault.status,
    code: fault.code,
    message: fault.message,
    isRefused: refusal !== undefined,
    isOfPartner: refusal instanceof PartnerRefusal,
    retryAfterSeconds:
      refusal?.retryAfterSeconds ?? (fault.status === 503 ? HTTP_LIMITS.retryAfterSeconds : undefined),
    holdMs: refusal?.holdMs ?? 0,
    isUnexpected: expected === undefined,
  };
}

/** Faults unchanged; the framework's body errors as faults; undefined for anything unexpected. */
function asFault(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Fault(400, 'request.invalid', `The form is larger than ${HTTP_LIMITS.maxFormBytes} bytes`);
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP_')) return notAForm();
  // Addresses that not even the router's handler for unknown ones takes.
  if (code === 'FST_ERR_NOT_FOUND') return new Fault(404, undefined, 'Not found');
  if (code === 'ECONNRESET') return new Fault(400, 'request.invalid', 'The request was cut off');
  return undefined;
}

export const notAForm = (): Fault =>
  new Fault(400, 'request.invalid', 'The body is not a form; send it as application/x-www-form-urlencoded');

export const overloaded = (): Refusal =>
  new Refusal(
    503,
    'request.overloaded',
    'The directory is busy; try again in a few seconds',
    HTTP_LIMITS.retryAfterSeconds,
  );

export const tooSlow = (): Refusal =>
  new Refusal(
    503,
    'request.timeout',
    'The directory took too long; try again in a few seconds',
    HTTP_LIMITS.retryAfterSeconds,
  );
