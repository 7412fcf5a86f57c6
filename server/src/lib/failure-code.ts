/**
 * Why nothing was heard, in a word that stays the same: for who has sentences of their own, such as the site in its
 * languages. The sentence beside it says more, in English. What is written down is read for months: a code can be added,
 * and never changes what it means.
 */
export const FAILURE_CODES = [
  /** There is no such name, or it has no address. */
  'no_name',
  /** Whoever should know the name does not answer. */
  'name_servers',
  /** Nothing of ours connects there: a private network, another service's port. */
  'bad_address',
  /** Nobody listens at the port. */
  'refused_port',
  /** Nobody answers at the address, or nobody says anything. */
  'no_answer',
  'cut_off',
  /** All in all it took too long. */
  'late',
  'tls_expired',
  'tls_other_name',
  'tls_untrusted',
  /** No TLS that both sides speak. */
  'tls_old',
  /** Neither HTTP nor ICY. */
  'bad_answer',
  'too_many_redirects',
  /** Gone as well: 410. */
  'http_404',
  'http_401',
  'http_403',
  /** Another status that refuses. */
  'http_refused',
  /** 5xx */
  'http_error',
  /** The server is there, and the station is not: SHOUTcast's 401. */
  'away',
  'busy',
  'geo',
  'page',
  'empty_playlist',
  /** Playlists that lead to playlists, and to no sound. */
  'too_many_playlists',
  /** HLS without a segment. */
  'no_segments',
  /** An answer, and nothing behind it. */
  'empty',
  /** It sends something, which is no sound. */
  'no_sound',
  'unknown_codec',
  /** It ended before there was enough to hear. */
  'ended',
  /** The fault is on this side. */
  'ours',
  'other',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

const KNOWN: ReadonlySet<unknown> = new Set(FAILURE_CODES);

export const isFailureCode = (value: unknown): value is FailureCode => KNOWN.has(value);
