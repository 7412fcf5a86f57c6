import { BadAnswer } from '../../formats/icy/head-reader.ts';
import type { FailureCode } from '../../lib/failure-code.ts';
import { FetchFailed, type FetchStep, UnsafeAddress } from '../fetch/fetch-failed.ts';
import { HostBusy } from '../fetch/host-limiter.ts';
import { type TuneInStep, TuneInFailed } from './tune-in-failed.ts';

/** Errors of this machine: without a network or free sockets it cannot tell whether others are reachable. */
const OUR_CODES = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
]);

/** What an error means for the stream; unknown errors say nothing about it. */
export function tuneInFailureOf(
  error: unknown,
  steps: readonly TuneInStep[],
  outer?: AbortSignal,
): TuneInFailed {
  if (error instanceof TuneInFailed) return error;
  if (outer?.aborted) return ours('stopped before any audio arrived', steps, error);
  if (error instanceof HostBusy) return ours(`too many connections: ${error.message}`, steps, error);
  if (error instanceof UnsafeAddress) return dead(error, { code: 'bad_address', steps });
  if (error instanceof BadAnswer) return dead(error, { code: 'bad_answer', steps });
  const code = codeOf(error);
  if (code !== undefined && OUR_CODES.has(code)) return ours(whyFailed(error).words, steps, error);
  if (!(error instanceof FetchFailed) && code === undefined) throw error;
  const isTls = error instanceof FetchFailed && error.step === 'secure' && !error.isLate;
  const why = whyFailed(error);
  return new TuneInFailed(isTls ? 'tls' : 'dead', why.words, { code: why.code, steps, cause: error });
}

const dead = (cause: Error, more: { code: FailureCode; steps: readonly TuneInStep[] }): TuneInFailed =>
  new TuneInFailed('dead', cause.message, { ...more, cause });

const ours = (detail: string, steps: readonly TuneInStep[], cause: unknown): TuneInFailed =>
  new TuneInFailed('busy', detail, { code: 'ours', steps, isOurs: true, cause });

type Meaning = readonly [code: FailureCode, words: string];

const CUT_OFF: Meaning = ['cut_off', 'the connection was cut off'];
const NAME_SERVERS: Meaning = ['name_servers', 'the name servers of that name do not answer'];
const NOBODY_KNOWN: Meaning = ['tls_untrusted', 'its certificate is not from a known authority'];
const OLD_TLS: Meaning = ['tls_old', 'it only supports outdated TLS versions'];

/** Connection error codes in plain words. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: ['no_name', 'the host name does not exist'],
  ENODATA: ['no_name', 'the name has no address'],
  EBADNAME: ['no_name', 'the host name is malformed'],
  ESERVFAIL: NAME_SERVERS,
  ETIMEOUT: NAME_SERVERS,
  ECONNREFUSED: ['refused_port', 'nothing listens on that port'],
  ECONNRESET: CUT_OFF,
  EPIPE: CUT_OFF,
  ETIMEDOUT: ['no_answer', 'the host does not answer'],
  EHOSTUNREACH: ['no_answer', 'the host is unreachable'],
  CERT_HAS_EXPIRED: ['tls_expired', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['tls_untrusted', 'its certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_other_name', 'its certificate is for another name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls_untrusted', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: NOBODY_KNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls_untrusted', 'its certificate chain is incomplete'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOBODY_KNOWN,
  EPROTO: OLD_TLS,
};

export function codeOf(error: unknown): string | undefined {
  const cause = error instanceof FetchFailed ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The failure code for a timeout, by step. */
const LATE: Readonly<Record<FetchStep, FailureCode>> = {
  lookup: 'name_servers',
  connect: 'no_answer',
  secure: 'no_answer',
  answer: 'no_answer',
  body: 'late',
  whole: 'late',
};

/** The reason in words, followed by the connection's error code. */
function whyFailed(error: unknown): { code: FailureCode; words: string } {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : 'it failed';
  if (code === undefined) return { code: lateness(error), words: message };
  const meaning = Object.hasOwn(MEANINGS, code)
    ? MEANINGS[code]
    : code.startsWith('ERR_SSL')
      ? OLD_TLS
      : undefined;
  if (meaning) return { code: meaning[0], words: `${meaning[1]} (${code})` };
  return {
    code: 'other',
    words: error instanceof FetchFailed ? message : `the connection failed (${code})`,
  };
}

const lateness = (error: unknown): FailureCode =>
  error instanceof FetchFailed && error.isLate ? LATE[error.step] : 'other';
