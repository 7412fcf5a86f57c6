import { Fault } from '../lib/fault.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { LIMITS } from './limits.ts';
import { Refusal } from '../lib/refusal.ts';

export interface Failure {
  httpStatus: number;
  document: OpmlDocument & { noStore: true };
  retryAfterSeconds: number | undefined;
  holdMs: number;
  /** Nobody meant this to happen: the log has the detail under the request's id. */
  unexpected: boolean;
}

export const unknownMethod = (): Fault => new Fault(404, 'api.methodNotFound', 'Invalid method');

/** What a caller is told about a call that failed. */
export function failureOf(error: unknown, requestId: string): Failure {
  const expected = asFault(error);
  const fault =
    expected ?? new Fault(500, undefined, `Internal error; the operator finds it in the log as ${requestId}`);
  const refused = fault instanceof Refusal;
  return {
    // Radios drop the body of anything but a 200; only who is turned away before the protocol gets another status.
    httpStatus: refused ? fault.status : 200,
    document: {
      status: fault.status,
      fault: fault.message,
      faultCode: fault.code,
      outlines: [],
      noStore: true,
    },
    retryAfterSeconds: refused ? fault.retryAfterSeconds : undefined,
    holdMs: refused ? fault.holdMs : 0,
    unexpected: expected === undefined,
  };
}

/** Faults as they are; the framework's own refusals of a body as faults; undefined for the unforeseen. */
function asFault(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Fault(400, 'request.invalid', `The form is larger than ${LIMITS.maxFormBytes} bytes`);
  }
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP_')) return notAForm();
  if (code === 'ECONNRESET') return new Fault(400, 'request.invalid', 'The call was cut off');
  return undefined;
}

export const notAForm = (): Fault =>
  new Fault(400, 'request.invalid', 'The body is not a form; send it as application/x-www-form-urlencoded');
