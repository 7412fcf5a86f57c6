import type { FailureCode } from '../lib/failure-code.ts';
import { FetchFailed, type Step } from '../lib/fetch-safely/fetch-failed.ts';

type Meaning = readonly [code: FailureCode, words: string];

const CUT_OFF: Meaning = ['cut_off', 'the connection was cut off'];
const NAME_SERVERS: Meaning = ['name_servers', 'the name servers of that name do not answer'];
const NOBODY_KNOWN: Meaning = ['tls_untrusted', 'its certificate is signed by nobody known'];
const OLD_TLS: Meaning = ['tls_old', 'it does not speak a TLS that is still in use'];

/** What the codes of a connection mean, for who cannot read them. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: ['no_name', 'there is no such name'],
  ENODATA: ['no_name', 'the name has no address'],
  EBADNAME: ['no_name', 'no name can be written like that'],
  ESERVFAIL: NAME_SERVERS,
  ETIMEOUT: NAME_SERVERS,
  ECONNREFUSED: ['refused_port', 'nobody listens at that port'],
  ECONNRESET: CUT_OFF,
  EPIPE: CUT_OFF,
  ETIMEDOUT: ['no_answer', 'nobody answers at that address'],
  EHOSTUNREACH: ['no_answer', 'that address cannot be reached'],
  CERT_HAS_EXPIRED: ['tls_expired', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['tls_untrusted', 'its certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_other_name', 'its certificate is for another name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls_untrusted', 'it signed its certificate itself'],
  SELF_SIGNED_CERT_IN_CHAIN: NOBODY_KNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls_untrusted', 'it leaves out a part of its certificate'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOBODY_KNOWN,
  EPROTO: OLD_TLS,
};

export function codeOf(error: unknown): string | undefined {
  const cause = error instanceof FetchFailed ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** What took too long, by where it was at. */
const LATE: Readonly<Record<Step, FailureCode>> = {
  lookup: 'name_servers',
  connect: 'no_answer',
  secure: 'no_answer',
  answer: 'no_answer',
  body: 'late',
  whole: 'late',
};

/** Why, in words; the connection's code stays beside them for who looks it up. */
export function whyFailed(error: unknown): { code: FailureCode; words: string } {
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
