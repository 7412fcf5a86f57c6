import { Redis } from 'ioredis';
import type { Check } from './check.ts';
import { type Finding, broken, note, warning, well } from './finding.ts';
import { spellBytes } from './spell.ts';

const OLDEST = 7;
const FULL = 0.9;
/** Twice, for the greeting and for the question, and still within the time of a check. */
const DEADLINE_MS = 1500;

export const redisCheck: Check = {
  title: 'Redis',
  async look({ config: { redisUrl } }) {
    if (redisUrl === undefined)
      return [
        note(
          'answers',
          'not used: each longwave serve finds out for itself what plays, which suits one process',
          'where several serve: REDIS_URL=redis://host:6379',
        ),
      ];
    try {
      const told = await readInfo(redisUrl);
      return [answers(told, redisUrl), memory(told)];
    } catch (error) {
      return [unreached(error, redisUrl)];
    }
  },
};

type Told = ReadonlyMap<string, string>;

async function readInfo(url: string): Promise<Told> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: DEADLINE_MS,
    commandTimeout: DEADLINE_MS,
    connectionName: 'longwave doctor',
  });
  // What `connect` rejects with says only that the connection is closed; the reason comes here.
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

const fieldsOf = (info: string): Told =>
  new Map(
    info.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );

function answers(told: Told, redisUrl: string): Finding {
  const version = told.get('redis_version') ?? 'unknown';
  const text = `${version} at ${new URL(redisUrl).host}`;
  return Number.parseInt(version, 10) >= OLDEST
    ? well('answers', text)
    : broken('answers', `${text} is too old`, `upgrade Redis to ${OLDEST} or newer`);
}

const LET_GO = 'in its redis.conf: maxmemory 128mb and maxmemory-policy allkeys-lru; nothing in it is missed';

function memory(told: Told): Finding {
  const [used, most] = ['used_memory', 'maxmemory'].map((name) => Number(told.get(name) ?? 0));
  const policy = told.get('maxmemory_policy') ?? 'unknown';
  if (!used || !most) return note('memory', `${spellBytes(used ?? 0)} used, without a limit`, LET_GO);
  const text = `${spellBytes(used)} of ${spellBytes(most)} used, ${policy}`;
  if (policy !== 'noeviction') return well('memory', text);
  return used / most > FULL
    ? warning('memory', `${text}: it is full, and new songs are refused`, LET_GO)
    : note('memory', `${text}: when it is full, new songs are refused`, LET_GO);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
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
