import { Redis, type RedisOptions } from 'ioredis';

type Options = Omit<RedisOptions, 'replyMapping'>;

const SENTINEL_PORT = 26_379;
const SENTINEL_MS = 2000;
const FORM = 'redis+sentinel://:password@NAME/0?sentinels=host:26379,host:26379';

/**
 * A connection to one server, or to the one that sentinels say leads. A server that does not lead any more refuses to write, or ends its
 * connections when it is told: the sentinels are asked again, or the address, which may lead to another server by now.
 */
export function openRedis(url: string, options: Options): Redis {
  const sentinels = parseSentinels(url);
  const reconnectOnError = connectsAnew();
  if (!sentinels) return new Redis(url, { ...options, reconnectOnError });
  return new Redis({
    ...options,
    ...sentinels,
    natMap: (address) => (isAddress(address) ? null : NOWHERE),
    connectTimeout: Math.min(options.connectTimeout ?? SENTINEL_MS, SENTINEL_MS),
    sentinelCommandTimeout: SENTINEL_MS,
    failoverDetector: true,
    reconnectOnError,
    // Without one the connection would be given up for good as soon as no sentinel answers.
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
  });
}

const READONLY = /^(?:ERR .* -)?READONLY\b/;
const CONNECT_EVERY_MS = 1000;

/** One that nobody is to write to says so to each command, and is not called anew for each of them. */
function connectsAnew(): (error: Error) => boolean {
  let lastMs = -Infinity;
  return ({ message }) => {
    const now = performance.now();
    if (!READONLY.test(message) || now - lastMs < CONNECT_EVERY_MS) return false;
    lastMs = now;
    return true;
  };
}

/** What a sentinel says of itself or of a server: a port that is none would be thrown by the system, and the connection given up for good. */
const isAddress = (text: string): boolean =>
  /^[\w.:%-]+:\d{1,5}$/.test(text) && Number(text.slice(text.lastIndexOf(':') + 1)) < 2 ** 16;

/** A name that never exists, so that it is tried again and the log says why. */
const NOWHERE = { host: 'a-sentinel-said-no-address.invalid', port: 1 };

/** Undefined for the address of a server. */
function parseSentinels(url: string): Options | undefined {
  const { protocol, hostname, username, password, pathname, search } = new URL(url);
  if (!protocol.endsWith('+sentinel:')) return undefined;
  // A plus is one, as in passwords in base64; only forms mean a space by it.
  const query = new URLSearchParams(search.replaceAll('+', '%2B'));
  const sentinels = (query.get('sentinels') ?? '').split(',').filter((each) => each !== '');
  if (sentinels.length === 0 || hostname === '')
    throw new Error(`REDIS_URL names no sentinels or not what they call the server; its form is ${FORM}`);
  const isSecure = protocol === 'rediss+sentinel:';
  const known = query.get('sentinelPassword');
  return {
    name: hostname,
    sentinels: sentinels.map(parseHost),
    db: parseDatabase(pathname.slice(1)),
    ...(username !== '' && { username: decoded(username) }),
    ...(password !== '' && { password: decoded(password) }),
    ...(known !== null && { sentinelPassword: known }),
    ...(isSecure && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

function parseHost(text: string): { host: string; port: number } {
  const url = URL.parse(`tcp://${text.trim()}`);
  if (!url || url.hostname === '' || url.href !== `tcp://${url.host}`)
    throw new Error(`REDIS_URL names a sentinel as ${text}, which is no host:port; its form is ${FORM}`);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || SENTINEL_PORT) };
}

function parseDatabase(text: string): number {
  if (/^\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`REDIS_URL names the database ${text}, which is no number; its form is ${FORM}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('REDIS_URL has a % in its name or password that stands for nothing: write %25 for it');
  }
}
