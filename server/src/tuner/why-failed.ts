import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';

/** What the codes of a connection mean, for who cannot read them. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name',
  ENODATA: 'the name has no address',
  ESERVFAIL: 'the name servers of that name do not answer',
  ETIMEOUT: 'the name servers of that name do not answer',
  ECONNREFUSED: 'nobody listens at that port',
  ECONNRESET: 'the connection was cut off',
  EPIPE: 'the connection was cut off',
  ETIMEDOUT: 'nobody answers at that address',
  EHOSTUNREACH: 'that address cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed its certificate itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it leaves out a part of its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by nobody known',
  EPROTO: 'it does not speak a TLS that is still in use',
};

export function codeOf(error: unknown): string | undefined {
  const cause = error instanceof FetchFailed ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Why, in words; the code stays beside them for who looks it up. */
export function whyFailed(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : 'it failed';
  if (code === undefined) return message;
  if (Object.hasOwn(WORDS, code)) return `${WORDS[code]} (${code})`;
  if (code.startsWith('ERR_SSL')) return `${WORDS['EPROTO']} (${code})`;
  return error instanceof FetchFailed ? message : `the connection failed (${code})`;
}
