import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { createLog } from '../../lib/log.ts';
import type { BookAnswer } from './bucket-book.ts';
import { RedisBook } from './redis-book.ts';

const url = process.env['REDIS_URL'] ?? assert.fail('REDIS_URL is not set');
const log = createLog({ level: 'silent' });
const prefix = `{${randomUUID()}}:`;
const HOUR_MS = 3_600_000;

let redis: Redis;
let book: RedisBook;
before(async () => {
  redis = new Redis(url);
  // One that died before the clock was set back, and is never heard of again.
  await redis.zadd(`${prefix}processes`, Date.now() + HOUR_MS, 'gone');
  book = new RedisBook({ url, log, prefix, least: 1, onLow: () => undefined });
});
after(async () => {
  book[Symbol.dispose]();
  await redis.del(await redis.keys(`${prefix}*`));
  redis.disconnect();
});

const take = (name: string, spend = 1): Promise<BookAnswer> =>
  book.exchange([{ name, perSecond: 20, burst: 10, spend, known: 10 }], true);

/** As it was written an hour before the clock was set back by an hour. */
const writeAhead = (name: string, tokens: number): Promise<unknown> =>
  redis.set(`${prefix}bucket:${name}`, `${tokens.toFixed(6)} ${Date.now() + HOUR_MS}`, 'PX', HOUR_MS);

test('a limit that was used up before the clock was set back fills as any other', async () => {
  await waitUntil('Redis is there', async () => (await take('any')).isTaken || undefined);
  await writeAhead('used up', 0);
  assert.equal((await take('used up')).isTaken, false);
  await sleep(200);
  assert.equal((await take('used up')).isTaken, true);
  assert.ok((await redis.pttl(`${prefix}bucket:used up`)) < 5000, 'and is forgotten when it is full');
});

test('what was left before the clock was set back can be taken, and no more', async () => {
  await writeAhead('half full', 5);
  assert.equal((await take('half full', 8)).isTaken, false);
  const { isTaken, levels } = await take('half full', 4);
  assert.ok(isTaken && levels[0]! < 5, `${levels[0]} left`);
});

test('processes that were there before the clock was set back count while they are', async () => {
  await waitUntil('it is alone', async () => book.processes === 1 || undefined);
  assert.equal(await redis.zcard(`${prefix}processes`), 1);
});
