import { BadAnswer } from '../formats/icy/bad-answer.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';
import type { Step } from './step.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import { codeOf, whyFailed } from './why-failed.ts';

/** A machine without a line, or with nothing left to connect by, cannot tell whether others are there. */
const OUR_CODES = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
]);

/** What a failure on the way means for the stream; what nobody thought of says nothing of it. */
export function failureOf(error: unknown, steps: readonly Step[], outer?: AbortSignal): TuneInFailed {
  if (error instanceof TuneInFailed) return error;
  if (outer?.aborted) return ours('stopped before it was heard', steps, error);
  if (error instanceof NoSeat) return ours(`too much is asked at once: ${error.message}`, steps, error);
  if (error instanceof UnsafeAddress) return dead(error, { code: 'bad_address', steps });
  if (error instanceof BadAnswer) return dead(error, { code: 'bad_answer', steps });
  const code = codeOf(error);
  if (code !== undefined && OUR_CODES.has(code)) return ours(whyFailed(error).words, steps, error);
  if (!(error instanceof FetchFailed) && code === undefined) throw error;
  const isTls = error instanceof FetchFailed && error.step === 'secure' && !error.isLate;
  const why = whyFailed(error);
  return new TuneInFailed(isTls ? 'tls' : 'dead', why.words, { code: why.code, steps, cause: error });
}

const dead = (cause: Error, more: { code: FailureCode; steps: readonly Step[] }): TuneInFailed =>
  new TuneInFailed('dead', cause.message, { ...more, cause });

const ours = (detail: string, steps: readonly Step[], cause: unknown): TuneInFailed =>
  new TuneInFailed('busy', detail, { code: 'ours', steps, isOurs: true, cause });
