import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createLog } from '../../lib/log.ts';
import { MemoryStore } from './memory-store.ts';
import { RedisStore } from './redis-store.ts';
import type { Song } from './song.ts';
import type { News, PlayingStore } from './store.ts';

const redisUrl = process.env['REDIS_URL'] ?? '';
const log = createLog({ level: 'silent' });
const prefixes: string[] = [];

interface Limits {
  wantedMs?: number;
  mostWanted?: number;
}

/** One store as two processes see it, where two can. */
interface Stores extends AsyncDisposable {
  one: PlayingStore;
  other: PlayingStore;
}

const both = (one: PlayingStore, other: PlayingStore): Stores => ({
  one,
  other,
  async [Symbol.asyncDispose]() {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  },
});

const STORES: Record<string, (limits?: Limits) => Promise<Stores>> = {
  memory: async (limits) => {
    const store = new MemoryStore(limits);
    return both(store, store);
  },
  redis: async (limits) => {
    const prefix = `{test-${randomUUID()}}:`;
    prefixes.push(prefix);
    const open = () => new RedisStore({ url: redisUrl, log, prefix, ...limits });
    const [one, other] = [open(), open()];
    await Promise.all([one.connected(), other.connected()]);
    return both(one, other);
  },
};

after(async () => {
  const redis = new Redis(redisUrl);
  for (const prefix of prefixes) {
    const keys = await redis.keys(`${prefix.replaceAll(/[{}]/g, '?')}*`);
    for (const key of keys) assert.ok((await redis.pttl(key)) > 0, `${key} does not go by itself`);
    if (keys.length > 0) await redis.del(keys);
  }
  await redis.quit();
});

const song = (title: string, more: Partial<Song> = {}): Song => ({
  title,
  artist: 'The Example Duo',
  startedAt: Date.now(),
  heardAt: Date.now(),
  source: 'icy',
  ...more,
});
const idsOf = (due: readonly { stationId: number }[]): number[] =>
  due.map(({ stationId }) => stationId).toSorted((first, second) => first - second);

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'waited in vain');
    await sleep(5);
  }
}

for (const [kind, open] of Object.entries(STORES)) {
  describe(`the ${kind} store`, () => {
    test('only who is asked about is due, and only once', async () => {
      await using stores = await open();
      const { one, other } = stores;
      assert.deepEqual(await one.claimDue(10, 1000), []);
      await one.ask([1, 2, 3]);
      await other.ask([2, 3]);
      const [first, second] = await Promise.all([one.claimDue(2, 5000), other.claimDue(2, 5000)]);
      assert.deepEqual(idsOf([...first, ...second]), [1, 2, 3]);
      assert.ok(first.length <= 2 && second.length <= 2);
      await one.ask([1, 2, 3]);
      assert.deepEqual(await other.claimDue(10, 1000), [], 'a question does not break a lease');
    });

    test('who is not told of in time is due again, for another', async () => {
      await using stores = await open();
      const { one, other } = stores;
      await one.ask([1, 2]);
      assert.equal((await one.claimDue(10, 60)).length, 2);
      await one.publish([{ stationId: 2, heard: song('Two'), dueInMs: 60_000 }]);
      assert.deepEqual(await other.claimDue(10, 60), []);
      await sleep(80);
      assert.deepEqual(idsOf(await other.claimDue(10, 60)), [1]);
    });

    test('a claim tells the last song, and whoever is told of is due when it was said', async () => {
      await using stores = await open();
      const { one, other } = stores;
      await one.ask([7]);
      await one.claimDue(1, 1000);
      const given = song('First Light', { album: 'Dawn', endsAt: Date.now() + 60_000 });
      await one.publish([{ stationId: 7, heard: given, dueInMs: 40 }]);
      assert.deepEqual(await other.claimDue(1, 1000), []);
      await sleep(60);
      const [due] = await other.claimDue(1, 1000);
      assert.equal(due?.stationId, 7);
      assert.deepEqual(JSON.parse(JSON.stringify(due?.song)), given);
    });

    test('what nobody wants any more is polled no more', async () => {
      await using stores = await open({ wantedMs: 100 });
      const { one, other } = stores;
      await one.ask([1, 2]);
      await one.claimDue(10, 10);
      await sleep(60);
      await one.ask([2]);
      await sleep(60);
      assert.deepEqual(idsOf(await other.claimDue(10, 10)), [2]);
      await sleep(120);
      assert.deepEqual(await other.claimDue(10, 10), []);
      await one.ask([1]);
      assert.deepEqual(idsOf(await other.claimDue(10, 10)), [1], 'until it is asked about again');
    });

    test('no more are wanted than there may be', async () => {
      await using stores = await open({ mostWanted: 3, wantedMs: 100 });
      const { one } = stores;
      await one.ask([1, 2, 3, 4, 5]);
      await one.ask([6, 1]);
      assert.deepEqual(idsOf(await one.claimDue(10, 5000)), [1, 2, 3]);
      await sleep(120);
      await one.claimDue(10, 5000);
      await one.ask([6]);
      assert.deepEqual(idsOf(await one.claimDue(10, 5000)), [6]);
    });

    test('songs are found, listed, taken away, and go by themselves', async () => {
      await using stores = await open();
      const { one, other } = stores;
      const past = Date.now() - 119_000;
      await one.publish([
        { stationId: 1, heard: song('Kept'), dueInMs: 1000 },
        { stationId: 2, heard: song('Taken away'), dueInMs: 1000 },
        { stationId: 3, heard: song('Old', { startedAt: past, heardAt: past }), dueInMs: 1000 },
      ]);
      await other.publish([
        { stationId: 2, heard: 'nothing', dueInMs: 1000 },
        { stationId: 1, heard: 'unheard', dueInMs: 1000 },
      ]);
      const found = await other.songs([1, 2, 3, 4]);
      assert.deepEqual(
        [...found].map(([id, { title }]) => [id, title]),
        [
          [1, 'Kept'],
          [3, 'Old'],
        ],
      );
      assert.deepEqual(idsOf(await other.listRecent(10)), [1, 3]);
      assert.equal((await other.listRecent(1)).length, 1);
      assert.deepEqual(await other.listRecent(0), []);
      await sleep(1100);
      assert.deepEqual([...(await other.songs([1, 3])).keys()], [1]);
      assert.deepEqual(
        (await other.listRecent(10)).map(({ stationId }) => stationId),
        [1],
      );
    });

    test('what the station says itself counts, and what a poller heard meanwhile does not', async () => {
      await using stores = await open();
      const { one, other } = stores;
      await one.ask([1]);
      await one.claimDue(1, 20);
      const pushed = song('Pushed', { source: 'push' });
      await other.publish([{ stationId: 1, heard: pushed, dueInMs: 200, holdMs: 200 }]);
      await one.publish([{ stationId: 1, heard: song('Heard'), dueInMs: 10 }]);
      await one.ask([1]);
      await sleep(40);
      assert.deepEqual(await one.claimDue(1, 20), [], 'it is left alone');
      assert.equal((await one.songs([1])).get(1)?.title, 'Pushed');
      await other.publish([{ stationId: 1, heard: 'nothing', dueInMs: 200, holdMs: 200 }]);
      await one.publish([{ stationId: 1, heard: song('Heard'), dueInMs: 10 }]);
      assert.equal((await one.songs([1])).size, 0);
      await sleep(220);
      assert.deepEqual(idsOf(await one.claimDue(1, 20)), [1]);
      await one.publish([{ stationId: 1, heard: song('Heard'), dueInMs: 10 }]);
      assert.equal((await other.songs([1])).get(1)?.title, 'Heard');
    });

    test('news reach all who subscribed, until they end it', async () => {
      await using stores = await open();
      const { one, other } = stores;
      const heard: News[] = [];
      const begun = Promise.withResolvers<void>();
      const subscription = other.subscribe((news) => heard.push(...news), begun.resolve);
      await begun.promise;
      await one.publish([
        { stationId: 1, heard: song('News'), dueInMs: 1000 },
        { stationId: 2, heard: 'unheard', dueInMs: 1000 },
        { stationId: 3, heard: 'nothing', dueInMs: 1000 },
      ]);
      await until(() => heard.length >= 2);
      assert.deepEqual(
        heard.map(({ stationId, song: given }) => [stationId, given?.title]),
        [
          [1, 'News'],
          [3, undefined],
        ],
      );
      subscription[Symbol.dispose]();
      await one.publish([{ stationId: 1, heard: song('Later'), dueInMs: 1000 }]);
      await sleep(50);
      assert.equal(heard.length, 2);
    });

    test('thousands at a time', async () => {
      await using stores = await open();
      const { one, other } = stores;
      const ids = Array.from({ length: 2500 }, (_, index) => index + 1);
      await one.ask(ids);
      const claimed: number[] = [];
      for (
        let some = await other.claimDue(700, 5000);
        some.length > 0;
        some = await other.claimDue(700, 5000)
      )
        claimed.push(...idsOf(some));
      assert.equal(new Set(claimed).size, 2500);
      assert.equal(claimed.length, 2500);
      await other.publish(
        ids.map((stationId) => ({ stationId, heard: song(`Song ${stationId}`), dueInMs: 1000 })),
      );
      assert.equal((await one.songs(ids)).size, 2500);
      assert.equal((await one.listRecent(3000)).length, 2500);
    });
  });
}
