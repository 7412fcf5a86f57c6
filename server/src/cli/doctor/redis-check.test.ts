import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { findingsOf, contextOf } from '../../../test/doctor/doctor-context.ts';
import { closedPort, portOf } from '../../../test/servers/port-of.ts';
import { spawnRedis } from '../../../test/servers/redis-server.ts';
import { createPool } from '../../storage/db/pool.ts';
import type { Finding } from './check.ts';
import { redisCheck } from './redis-check.ts';

const pool = createPool({ databaseUrl: 'postgres://nobody.invalid/none', size: 1, applicationName: 'test' });
after(() => pool.end());

const look = (url?: string): Promise<Map<string, Finding>> =>
  findingsOf(redisCheck, contextOf({ REDIS_URL: url }, pool));

const PASSWORD = 'of-this-test-alone';

/** A Redis of this test's own, and a connection to it. */
async function startRedis(): Promise<{ url: string; redis: Redis }> {
  const port = await closedPort();
  const child = spawnRedis(port, '--requirepass', PASSWORD);
  after(() => child.kill('SIGKILL'));
  const url = `redis://:${PASSWORD}@127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  after(() => redis.disconnect());
  await redis.ping();
  return { url, redis };
}

test('a Redis that answers is told with its version, and what happens when it is full', async () => {
  const { url, redis } = await startRedis();
  const unlimited = await look(url);
  assert.equal(unlimited.get('answers')?.state, 'well');
  assert.match(unlimited.get('answers')?.text ?? '', /^[78]\.\S+ at 127\.0\.0\.1:\d+$/);
  assert.equal(unlimited.get('memory')?.state, 'note');
  await redis.config('SET', 'maxmemory', '100mb');
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  assert.match((await look(url)).get('memory')?.text ?? '', /when it is full, new songs are rejected$/);
  await redis.config('SET', 'maxmemory', '1mb');
  const full = (await look(url)).get('memory');
  assert.equal(full?.state, 'warning');
  assert.match(full?.mend ?? '', /maxmemory-policy allkeys-lru/);
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  assert.equal((await look(url)).get('memory')?.state, 'well');
  const wrong = (await look(url.replace(PASSWORD, 'wrong'))).get('answers');
  assert.match(wrong?.text ?? '', /^Redis at 127\.0\.0\.1:\d+: it refused the password$/);
  assert.equal(wrong?.mend, 'correct REDIS_URL');
});

test('nobody at the address is broken, and no address is a choice', async () => {
  const away = (await look(`redis://:secret@127.0.0.1:${await closedPort()}`)).get('answers');
  assert.equal(away?.state, 'broken');
  assert.match(away?.text ?? '', /^Redis at 127\.0\.0\.1:\d+: nothing listens there$/);
  assert.match(away?.mend ?? '', /^start Redis, correct REDIS_URL/);
  assert.equal((await look()).get('answers')?.state, 'note');
});

test('one that takes the connection and says nothing is given up in time', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const started = performance.now();
  const found = [...(await look(`redis://127.0.0.1:${portOf(server)}`)).values()];
  assert.equal(found[0]?.state, 'broken');
  assert.ok(performance.now() - started < 5500);
});
