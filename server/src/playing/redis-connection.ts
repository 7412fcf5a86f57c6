import { Redis } from 'ioredis';
import type { Log } from '../lib/log.ts';

/** A command that takes longer has met a Redis that is as good as away. */
const COMMAND_MS = 2000;
/** A connection over which no answer has come for so long leads nowhere; the system would wait a quarter of an hour. */
const SILENT_MS = 3000;
const CONNECT_MS = 2000;
const LONGEST_PAUSE_MS = 2000;

/** For commands: while Redis is away each fails at once, and nothing piles up. */
export const commandConnection = (url: string, log: Log): Redis =>
  speaking(
    new Redis(url, {
      ...RETRYING,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      socketTimeout: SILENT_MS,
      connectionName: 'longwave',
    }),
    log,
  );

/** For listening: whoever made it subscribes whenever it is ready. */
export function listeningConnection(url: string): Redis {
  const redis = new Redis(url, {
    ...RETRYING,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    connectionName: 'longwave news',
  });
  // The other connection speaks of it.
  redis.on('error', () => undefined);
  return redis;
}

const RETRYING = {
  connectTimeout: CONNECT_MS,
  keepAlive: 10_000,
  retryStrategy: (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2),
};

/** Loud once, until it is back. */
function speaking(redis: Redis, log: Log): Redis {
  let isAway = false;
  redis.on('error', (err: Error) => {
    if (!isAway) log.warn({ err }, 'Redis is away; what is known of songs is told until it is old');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info('Redis is back');
    isAway = false;
  });
  return redis;
}
