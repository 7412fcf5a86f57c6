import type { ExplainedStream } from '@longwave/client';
import type { MessageKey } from '../../../i18n/messages.ts';

/** The message for each `failure_code`. */
const BY_CODE: Readonly<Record<string, MessageKey>> = {
  no_name: 'station.whyNoName',
  name_servers: 'station.whyNameServers',
  bad_address: 'station.whyBadAddress',
  refused_port: 'station.whyRefusedPort',
  no_answer: 'station.whyNoAnswer',
  cut_off: 'station.whyCutOff',
  late: 'station.whyLate',
  tls_expired: 'station.whyTlsExpired',
  tls_other_name: 'station.whyTlsOtherName',
  tls_untrusted: 'station.whyTlsUntrusted',
  tls_old: 'station.whyTlsOld',
  bad_answer: 'station.whyBadAnswer',
  too_many_redirects: 'station.whyRedirects',
  http_404: 'station.whyGone',
  http_401: 'station.whyPassword',
  http_403: 'station.whyRefused',
  http_refused: 'station.whyRefused',
  http_error: 'station.whyServerFault',
  away: 'station.whyAway',
  busy: 'station.whyBusy',
  geo: 'station.whyGeo',
  page: 'station.whyPage',
  empty_playlist: 'station.whyEmptyPlaylist',
  too_many_playlists: 'station.whyPlaylist',
  no_segments: 'station.whyEmptyPlaylist',
  empty: 'station.whyEmpty',
  no_sound: 'station.whyNoSound',
  unknown_codec: 'station.whyCodec',
  ended: 'station.whyEnded',
  ours: 'station.whyOurs',
  other: 'station.whyOther',
};

/** For a directory that sends no code, or one newer than this page. */
const BY_VERDICT: Readonly<Record<string, MessageKey>> = {
  refused: 'station.whyRefused',
  geo: 'station.whyGeo',
  tls: 'station.whyTlsOld',
  codec: 'station.whyCodec',
  hls: 'station.whyPlaylist',
  busy: 'station.whyBusy',
};

/** The reason of the last failure; never empty. */
export const whySilent = ({
  failureCode,
  verdict,
}: Pick<ExplainedStream, 'failureCode' | 'verdict'>): MessageKey =>
  keyOf(BY_CODE, failureCode) ?? keyOf(BY_VERDICT, verdict) ?? 'station.whyOther';

const keyOf = (keys: Readonly<Record<string, MessageKey>>, name = ''): MessageKey | undefined =>
  Object.hasOwn(keys, name) ? keys[name] : undefined;
