import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { Redis } from 'ioredis';
import { createLog } from '../../lib/log.ts';
import { RedisStore } from './redis-store.ts';
import type { Song } from './song.ts';

const url = process.env['REDIS_URL'] ?? assert.fail('REDIS_URL is not set');
const prefix = `{${randomUUID()}}:`;
const HOUR_MS = 3_600_000;
const STATION = 7;

const redis = new Redis(url);
const store = new RedisStore({ url, prefix, log: createLog({ level: 'silent' }) });
after(async () => {
  await store[Symbol.asyncDispose]();
  await redis.del(await redis.keys(`${prefix}*`));
  redis.disconnect();
});

/** As they were written when the clock was so much ahead. */
async function writeAhead(aheadMs: number): Promise<void> {
  const at = Date.now() + aheadMs;
  await redis.zadd(`${prefix}wanted`, at, STATION);
  await redis.zadd(`${prefix}due`, at + 60_000, STATION);
  await redis.zadd(`${prefix}held`, at + 60_000, STATION);
}

const song = (title: string): Song => ({
  title,
  artist: undefined,
  album: undefined,
  artAddress: undefined,
  startedAt: Date.now(),
  endsAt: undefined,
  source: 'icy',
  heardAt: Date.now(),
});

beforeEach(async () => {
  await store.connected();
  const keys = await redis.keys(`${prefix}*`);
  if (keys.length > 0) await redis.del(keys);
});

test('a station that was due before the clock was set back is due when somebody asks for it, and heard', async () => {
  await writeAhead(HOUR_MS);
  await store.ask([STATION]);
  assert.deepEqual(
    (await store.claimDue(10, 1000)).map(({ stationId }) => stationId),
    [STATION],
  );
  await store.publish([{ stationId: STATION, heard: song('After the hour'), dueInMs: 30_000 }]);
  assert.equal((await store.songs([STATION])).get(STATION)?.title, 'After the hour');
});

test('a server whose clock is behind the last one by some milliseconds forgets nothing', async () => {
  await writeAhead(500);
  await store.ask([STATION]);
  assert.deepEqual(await store.claimDue(10, 1000), []);
  await store.publish([{ stationId: STATION, heard: song('A poller heard'), dueInMs: 30_000 }]);
  assert.equal((await store.songs([STATION])).size, 0, 'its own messages count');
});
