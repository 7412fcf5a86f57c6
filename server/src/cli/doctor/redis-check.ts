import { openRedis } from '../../storage/cache/open-redis.ts';
import { broken, type Check, type Finding, note, warning, well } from './check.ts';
import { formatBytes } from './format.ts';

const OLDEST = 7;
const FULL = 0.9;
/** Applies twice, to the connection and to the query, and still fits into the time of a check. */
const DEADLINE_MS = 1500;

export const redisCheck: Check = {
  title: 'Redis',
  async look({ config: { redisUrl } }) {
    if (redisUrl === undefined)
      return [
        note(
          'answers',
          'not used: each longwave serve polls stations itself, which is enough for one process',
          'for several processes, set REDIS_URL=redis://host:6379',
        ),
      ];
    try {
      const info = await readInfo(redisUrl);
      return [answers(info, redisUrl), memory(info)];
    } catch (error) {
      return [unreached(error, redisUrl)];
    }
  },
};

type RedisInfo = ReadonlyMap<string, string>;

async function readInfo(url: string): Promise<RedisInfo> {
  const redis = openRedis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: DEADLINE_MS,
    commandTimeout: DEADLINE_MS,
    connectionName: 'longwave doctor',
  });
  // `connect` only rejects with "connection closed"; the actual reason is emitted here.
  let reason: unknown;
  redis.on('error', (error) => (reason ??= error));
  try {
    await redis.connect();
    return fieldsOf(await redis.info('server', 'memory'));
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

const fieldsOf = (info: string): RedisInfo =>
  new Map(
    info.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );

function answers(info: RedisInfo, redisUrl: string): Finding {
  const version = info.get('redis_version') ?? 'unknown';
  const text = `${version} at ${new URL(redisUrl).host}`;
  return Number.parseInt(version, 10) >= OLDEST
    ? well('answers', text)
    : broken('answers', `${text} is too old`, `upgrade Redis to ${OLDEST} or newer`);
}

const LET_GO =
  'set in redis.conf: maxmemory 128mb and maxmemory-policy allkeys-lru; its data can be lost without harm';

function memory(info: RedisInfo): Finding {
  const [used, most] = ['used_memory', 'maxmemory'].map((name) => Number(info.get(name) ?? 0));
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  if (!used || !most) return note('memory', `${formatBytes(used ?? 0)} used, no limit`, LET_GO);
  const text = `${formatBytes(used)} of ${formatBytes(most)} used, ${policy}`;
  if (policy !== 'noeviction') return well('memory', text);
  return used / most > FULL
    ? warning('memory', `${text}: it is full, so new songs are rejected`, LET_GO)
    : note('memory', `${text}: when it is full, new songs are rejected`, LET_GO);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name does not exist',
  ETIMEDOUT: 'it does not answer',
};

function unreached(error: unknown, redisUrl: string): Finding {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  const isLocked = /^(?:WRONGPASS|NOAUTH)|invalid password/i.test(message);
  const reason = isLocked ? 'it refused the password' : (REASONS[code] ?? message);
  const mend = isLocked ? 'correct REDIS_URL' : 'start Redis, correct REDIS_URL, or unset it for one process';
  return broken('answers', `Redis at ${new URL(redisUrl).host}: ${reason}`, mend);
}
