import { registrableDomainOf } from './refused-hosts.ts';

/**
 * Parameters that identify the listener, the session or the origin of the link, never the stream: session tokens,
 * advertising and privacy notes, tracking, cache busters. With them one stream is entered again for every session;
 * without them it plays.
 */
const NOISE = new Set([
  // Session tokens
  'zt',
  'zs',
  'zttl',
  'rj',
  'rj-tok',
  'rj-ttl',
  'rj-token',
  'rj-org',
  '_art',
  'sabc',
  'sabcsid',
  't302',
  'partnertok',
  'tvf',
  'wssession',
  'wsipsercert',
  'playsessionid',
  'session-id',
  'session_id',
  'sbmid',
  'listeningsessionid',
  'downloadsessionid',
  'authtoken',
  'adtoken',
  'starttime',
  'start_time',
  'start time',
  // Who listens
  'listenerid',
  'listenerrmid',
  'adtonoslistenerid',
  'acu-uid',
  'triton-uid',
  'an-uid',
  'mm-uid',
  'amb-uid',
  'lsid',
  'user-id',
  'device_id',
  'in_device_id',
  'profileid',
  'nyprbrowserid',
  'fbclid',
  'gclid',
  '_ga',
  'lat',
  'lon',
  'zip',
  // Where the link was found
  'ref',
  'refer',
  'referer',
  'referrer',
  'dist',
  'tgt',
  'maxservers',
  'aggregator',
  'ar-distributor',
  'ar-purpose',
  'origine',
  'origem',
  'providername',
  'rp_source',
  'tdsdk',
  'pname',
  'pversion',
  'listening-from-radio-garden',
  // Advertising and privacy
  'amsparams',
  'awparams',
  'banners',
  'companionads',
  'gdpr',
  'gdpr_consent',
  'us_privacy',
  'gpp',
  'ttag',
  'csegid',
  'usid',
  'upd-meta',
  'upd-scheme',
  'agend',
  'hadpreroll',
  'burst-time',
  // Against caches; hints for browser players
  'nocache',
  'nochache',
  'cachebuster',
  'cb',
  '___cb',
  '_',
  'rand',
  'rnd',
  'autoplay',
  'esplayer',
  'icy',
]);

/** `aw_0` is the prefix of an advertising server's parameters; lists spell its underscores in several ways. */
const NOISE_PREFIXES = ['utm_', 'aw_0', 'aw%200', 'aw+0'];

/** Noise on one network, meaningful on another: elsewhere `sid=2` is a Shoutcast server's second stream. */
const NOISE_OF_NETWORKS = new Map<string, ReadonlySet<string>>([
  ['rndfnk.com', new Set(['cid', 'sid', 'token'])],
  ['laut.fm', new Set(['uuid', 'pl'])],
  ['streamtheworld.com', new Set(['uuid', 'src', 'source', 'swm'])],
  ['streamguys1.com', new Set(['uuid'])],
  ['spcast.eu', new Set(['time', 'latency'])],
  ['radiofrance.fr', new Set(['id'])],
  ['nrjaudio.fm', new Set(['access_token', 'cdn_path', 'adws_out_2'])],
]);

const SIGNED_TOKEN = /^ey[\w-]{10,}\.[\w-]+\.[\w-]*$/;
const CLOCK_READING = /^\d{9,14}(?:\.mp3)?$/;

/** Removes noise from a raw query (without `?`); the rest keeps its order and spelling. */
export function withoutNoise(host: string, query: string): string {
  if (query === '') return '';
  const ofNetwork = NOISE_OF_NETWORKS.get(registrableDomainOf(host));
  return query
    .split('&')
    .filter((pair) => pair !== '' && pair !== '=' && !isNoise(pair, ofNetwork))
    .join('&');
}

function isNoise(pair: string, ofNetwork: ReadonlySet<string> | undefined): boolean {
  const equals = pair.indexOf('=');
  const name = (equals === -1 ? pair : pair.slice(0, equals)).toLowerCase().replace(/^amp;/, '');
  const value = equals === -1 ? '' : pair.slice(equals + 1);
  if (NOISE.has(name) || ofNetwork?.has(name)) return true;
  if (NOISE_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  if (name === 'type' && value.toLowerCase() === 'http') return true;
  return SIGNED_TOKEN.test(value) || (value === '' && CLOCK_READING.test(name));
}
