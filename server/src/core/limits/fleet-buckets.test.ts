import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { closedPort } from '../../../test/servers/port-of.ts';
import { startRedis } from '../../../test/servers/redis-server.ts';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { MemoryBook } from './bucket-book.ts';
import { FleetBuckets, type SharedBook } from './fleet-buckets.ts';
import { RedisBook } from './redis-book.ts';

const PROCESSES = 4;
const log = createLog({ level: 'silent' });
/** As many processes as share one machine's book. */
function ofOneMachine(...before: SharedBook[]): FleetBuckets[] {
  const all: FleetBuckets[] = [];
  const book = new MemoryBook(systemClock, (low) => all.forEach((buckets) => buckets.hear(low)));
  const shared: SharedBook = { book, part: () => 1, sharers: () => PROCESSES };
  for (let number = 0; number < PROCESSES; number += 1)
    all.push(new FleetBuckets({ clock: systemClock, books: [...before, shared], salt: '' }));
  return all;
}

interface Fleet extends AsyncDisposable {
  all: FleetBuckets[];
}

/** The same where each is alone on its machine, and Redis is all they share. */
async function ofOneRedis(url: string): Promise<Fleet> {
  const opened = new AsyncDisposableStack();
  const books: RedisBook[] = [];
  const all = Array.from({ length: PROCESSES }, () => {
    const onLow = (low: readonly [string, number][]): void => buckets.hear(low);
    const book = opened.use(new RedisBook({ url, log, prefix: '{test}:', least: 1, onLow }));
    books.push(book);
    const shared = { book, part: () => 1, sharers: () => book.processes };
    const buckets = new FleetBuckets({ clock: systemClock, books: [shared], salt: '' });
    opened.defer(() => buckets[Symbol.asyncDispose]());
    return buckets;
  });
  const deadline = performance.now() + 15_000;
  while (books.some(({ processes }) => processes < PROCESSES)) {
    assert.ok(performance.now() < deadline, 'they never saw each other');
    await sleep(20);
  }
  return { all, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const EIGHT = { perSecond: 8 / 3600, burst: 8 };
const CALLS = { perSecond: 50, burst: 250 };

/** Far more calls than are allowed, to all processes at once; how many were admitted, and how many the limit allows. */
async function flood(
  all: readonly FleetBuckets[],
  ms: number,
  key = 'caller',
): Promise<{ admitted: number; allowed: number }> {
  const buckets = all.map((one) => one.named('calls'));
  const startMs = systemClock.elapsedMs();
  let admitted = 0;
  while (systemClock.elapsedMs() - startMs < ms) {
    for (const one of buckets)
      for (let call = 0; call < 5; call += 1)
        if (one.take(key, CALLS, systemClock.elapsedMs()) === 0) admitted += 1;
    await sleep(2);
  }
  const seconds = (systemClock.elapsedMs() - startMs) / 1000;
  return { admitted, allowed: CALLS.burst + CALLS.perSecond * seconds };
}

/** 5 % and one process's share beyond the limit at most, and no less than nine tenths of it. */
function assertHeld({ admitted, allowed }: { admitted: number; allowed: number }): void {
  assert.ok(admitted <= allowed * 1.05 + CALLS.burst / PROCESSES, `${admitted} of ${allowed} allowed`);
  assert.ok(admitted >= allowed * 0.9, `only ${admitted} of ${allowed} allowed`);
}

test('a rate holds over four processes of a machine, and one of them may use all of it', async (t) => {
  const all = ofOneMachine();
  const together = await flood(all, 2000);
  assertHeld(together);
  const alone = await flood(all.slice(0, 1), 2000, 'another caller');
  assertHeld(alone);
  t.diagnostic(`together ${JSON.stringify(together)}, one alone ${JSON.stringify(alone)}`);
});

test('while the book of all machines is away, its own one gives all there is for as long as that lasts', async (t) => {
  const book = { exchange: () => Promise.reject(new Error('away')) };
  const away: SharedBook = { book, part: () => 1, sharers: () => PROCESSES };
  const seen = await flood(ofOneMachine(away), 5000);
  assertHeld(seen);
  t.diagnostic(JSON.stringify(seen));
});

test('what one process has spent is known to those that have never seen the caller', async () => {
  const all = ofOneMachine();
  await flood(all.slice(0, 1), 1500);
  const { admitted } = await flood(all.slice(1), 200);
  assert.ok(admitted <= CALLS.perSecond * 0.2 + PROCESSES * 2, `${admitted} more`);
});

test('a book that answers slowly is told again and again, not once', async () => {
  const [quick, slow] = [new MemoryBook(systemClock, () => undefined), 100];
  let told = 0;
  const book = {
    exchange: async (...asked: Parameters<MemoryBook['exchange']>) => {
      told += 1;
      await sleep(slow);
      return quick.exchange(...asked);
    },
  };
  const shared: SharedBook = { book, part: () => 1, sharers: () => 1 };
  await using buckets = new FleetBuckets({ clock: systemClock, books: [shared], salt: '' });
  await flood([buckets], 1500);
  assert.ok(told >= 5, `told ${told} times`);
});

test('an outage with more callers than are remembered: what comes after it is told again', async () => {
  const memory = new MemoryBook(systemClock, () => undefined);
  const told = new Set<string>();
  let isAway = true;
  const asked = Promise.withResolvers<void>();
  const exchange: MemoryBook['exchange'] = async (entries, exactly) => {
    asked.resolve();
    if (isAway) return new Promise(() => undefined);
    for (const { name } of entries) told.add(name);
    return memory.exchange(entries, exactly);
  };
  const shared: SharedBook = { book: { exchange }, part: () => 1, sharers: () => 1 };
  await using buckets = new FleetBuckets({ clock: systemClock, books: [shared], salt: '' });
  const calls = buckets.named('calls');
  const take = (key: string): number => calls.take(key, CALLS, systemClock.elapsedMs());
  for (let n = 0; n < 500; n += 1) take(`early ${n}`);
  // While these are being told, so many others come that they are no longer remembered.
  await asked.promise;
  for (let n = 0; n < 60_000; n += 1) take(`caller ${n}`);
  await sleep(1000);
  isAway = false;
  const all = async (count: number) => told.size >= count || undefined;
  await waitUntil('all that are remembered are told', () => all(50_000));
  await sleep(100);
  take('late');
  await waitUntil('who comes later is told too', () => all(50_001));
});

test('exact limits: ten of ten, whichever process is asked and how many at once, and what is given back counts', async () => {
  const all = ofOneMachine();
  const claim = [{ key: 'wrong passwords', limits: { perSecond: 10 / 3600, burst: 10 } }];
  const tries = await Promise.all(
    Array.from({ length: 40 }, (_none, n) => all[n % PROCESSES]!.takeAll(claim)),
  );
  assert.equal(tries.filter((shortage) => !shortage).length, 10);
  const wait = tries.find((shortage) => shortage)?.waitSeconds ?? 0;
  assert.ok(wait > 300 && wait <= 360, `${wait} s to wait`);
  all[2]!.giveAllBack(claim);
  await sleep(100);
  assert.equal(await all[3]!.takeAll(claim), undefined, 'given back');
  assert.ok(await all[1]!.takeAll(claim));
});

test('Redis there, away, flushed and back: limits hold throughout', async (t) => {
  const port = await closedPort();
  let redis = await startRedis(port);
  t.after(() => redis.kill('SIGKILL'));
  await using fleet = await ofOneRedis(`redis://127.0.0.1:${port}`);
  const { all } = fleet;
  const there = await flood(all, 2000);
  assertHeld(there);
  const count = async (key: string): Promise<number> => {
    const tries = Array.from({ length: 32 }, (_none, n) =>
      all[n % PROCESSES]!.takeAll([{ key, limits: EIGHT }]),
    );
    return (await Promise.all(tries)).filter((shortage) => !shortage).length;
  };
  assert.equal(await count('used up'), 8);
  const client = new Redis(port, '127.0.0.1');
  await client.flushall();
  client.disconnect();
  assert.ok((await count('used up')) <= 1, 'a flushed Redis is told what was used up');

  redis.kill('SIGKILL');
  await once(redis, 'exit');
  assert.ok((await count('used up')) <= 1, 'known without Redis too');
  assert.equal(await count('begun while it is away'), 8, 'a quarter of it in each');
  const away = await flood(all, 2000, 'caller while it is away');
  assertHeld(away);

  redis = await startRedis(port);
  await sleep(4000);
  const more = await count('begun while it is away');
  assert.ok(more <= 1, `${more} of 8 again: told when it is back`);
  const back = await flood(all, 1000, 'caller when it is back');
  assertHeld(back);
  t.diagnostic(`there ${JSON.stringify(there)}, away ${JSON.stringify(away)}, back ${JSON.stringify(back)}`);
});
