import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Log } from '../../lib/log.ts';
import { openRedis } from './open-redis.ts';

/** A Redis that takes longer for a command is as good as unreachable. */
const COMMAND_MS = 2000;
/** A connection without any response for this long is dead; the system would wait a quarter of an hour. */
const SILENT_MS = 3000;
const CONNECT_MS = 2000;
const MAX_PAUSE_MS = 2000;

/** For commands: while Redis is unreachable each fails immediately, and nothing piles up. */
export const commandConnection = (url: string, log: Log): Redis =>
  logOutages(
    openRedis(url, {
      ...RETRYING,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      socketTimeout: SILENT_MS,
      connectionName: 'longwave',
    }),
    log,
  );

/** For subscriptions: the caller subscribes whenever it is ready. */
export function listeningConnection(url: string): Redis {
  const redis = openRedis(url, {
    ...RETRYING,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    connectionName: 'longwave news',
  });
  // The command connection logs errors.
  redis.on('error', () => undefined);
  return redis;
}

const RETRYING = {
  connectTimeout: CONNECT_MS,
  keepAlive: 10_000,
  retryStrategy: (times: number) => Math.min(times * 100, MAX_PAUSE_MS) * (0.75 + Math.random() / 2),
};

/** Warns once per outage. */
function logOutages(redis: Redis, log: Log): Redis {
  let isAway = false;
  redis.on('error', (err: Error) => {
    if (!isAway) log.warn({ err }, 'Redis is unreachable; known songs are shown until they expire');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info('Redis is reachable again');
    isAway = false;
  });
  return redis;
}

/** The server's time: one clock for all processes. */
export const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** A script that Redis runs atomically; its text is sent once to each server. */
export class RedisScript {
  readonly #text: string;
  readonly #sha: string;

  constructor(text: string) {
    this.#text = text;
    this.#sha = createHash('sha1').update(text).digest('hex');
  }

  async run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await redis.eval(this.#text, keys.length, ...keys, ...values);
    }
  }
}
