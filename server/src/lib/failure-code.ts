/**
 * Why a stream could not be heard, as a stable code, for clients with their own translations such as the site. The
 * message beside it says more, in English. Codes are stored for months: new ones can be added, but none may change its
 * meaning.
 */
export const FAILURE_CODES = [
  /** The name does not exist or has no address. */
  'no_name',
  /** The name servers do not answer. */
  'name_servers',
  /** An address we never connect to: a private network, or a port of another service. */
  'bad_address',
  /** Nothing listens on the port. */
  'refused_port',
  /** The host does not answer, or accepts the connection and sends nothing. */
  'no_answer',
  'cut_off',
  /** The overall deadline passed. */
  'late',
  'tls_expired',
  'tls_other_name',
  'tls_untrusted',
  /** No TLS version in common. */
  'tls_old',
  /** Neither HTTP nor ICY. */
  'bad_answer',
  'too_many_redirects',
  /** Also 410 Gone. */
  'http_404',
  'http_401',
  'http_403',
  /** Any other status that is no success and no 5xx. */
  'http_refused',
  /** 5xx */
  'http_error',
  /** The server runs but the station is off air: SHOUTcast's 401, or an HLS playlist that says it has ended. */
  'away',
  'busy',
  'geo',
  'page',
  'empty_playlist',
  /** Playlists that only lead to more playlists. */
  'too_many_playlists',
  /** HLS without segments. */
  'no_segments',
  /** A response without a body. */
  'empty',
  /** The response body is not audio. */
  'no_sound',
  'unknown_codec',
  /** The stream ended before there was enough audio to judge. */
  'ended',
  /** The problem is on our side. */
  'ours',
  'other',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

const KNOWN: ReadonlySet<unknown> = new Set(FAILURE_CODES);

export const isFailureCode = (value: unknown): value is FailureCode => KNOWN.has(value);

/**
 * Outcome of a probe. `dead`: no answer, or no audio. `refused`: not for us, or not from here; others may hear it.
 * `geo`: only for some countries. `tls`: bad certificate or handshake. `codec`: audio that no radio plays. `hls`: an
 * HLS playlist that is broken or has ended. `busy`: full, or queried too often.
 */
export const VERDICTS = ['plays', 'dead', 'refused', 'geo', 'tls', 'codec', 'hls', 'busy'] as const;

export type Verdict = (typeof VERDICTS)[number];

export const parseVerdict = (text: string | null): Verdict | undefined =>
  VERDICTS.find((verdict) => verdict === text);
