import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FeedError } from '../../src/formats/feed/feed.ts';
import { parseFeed } from '../../src/formats/feed/parse-feed.ts';
import { uuidOf } from '../../src/lib/ids.ts';
import { UnsafeAddress } from '../../src/net/fetch/fetch-failed.ts';
import { type Fetched, SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { keysUntil } from './content.ts';
import { type Farm, startFarm } from './farm.ts';
import { farmPolicy, feedAddress, hostOf, ipOfHost, movedAddress } from './hosts.ts';
import { type Kind, kindOf } from './kinds.ts';

const FEEDS = 1000;
const NUMBERS = Array.from({ length: FEEDS }, (_none, number) => number);
const fetcher = new SafeFetcher({ policy: farmPolicy });
let farm: Farm;
before(async () => (farm = await startFarm(FEEDS, [20, 40, 2000])));
after(() => farm[Symbol.asyncDispose]());

const NOTHING = { status: 0, body: Buffer.alloc(0) };
const one = (kind: Kind): number => NUMBERS.find((number) => kindOf(number) === kind) ?? -1;
const ask = (number: number, headers: Record<string, string> = {}): Promise<Fetched> =>
  fetcher.fetch(feedAddress(number, farm), { headers, firstByteMs: 1000 });

test('what the farm says is known after a round is what its feeds tell, in all kinds', async () => {
  const numbers = Object.values(Object.groupBy(NUMBERS, kindOf)).flatMap((list) => list?.slice(0, 8) ?? []);
  const seen = new Map<number, Set<string>>();
  for (const round of [1, 2, 3]) {
    // The same megabytes and seconds three times would tell no more.
    for (const number of numbers.filter((each) => round === 1 || !/huge|stuck/.test(kindOf(each)))) {
      const known = seen.getOrInsertComputed(number, () => new Set());
      const { status, body } = await ask(number).catch(() => NOTHING);
      for (const { guid = '' } of status === 200 ? itemsOf(body) : []) known.add(uuidOf(guid));
      assert.deepEqual(
        [...known].toSorted(),
        keysUntil(number, round).toSorted(),
        `${number}, ${kindOf(number)}`,
      );
    }
    if (round < 3) await farm.nextRound();
  }
});

function itemsOf(body: Buffer): { guid?: string }[] {
  try {
    return parseFeed(body).items;
  } catch (error) {
    if (error instanceof FeedError) return [];
    throw error;
  }
}

test('who has it already is told so, but for a fresh feed in the next round', async () => {
  for (const kind of ['tagged', 'dated', 'slow', 'huge', 'fresh', 'recoded'] as const) {
    const { headers } = await ask(one(kind));
    const [etag, date] = [headers['etag'], headers['last-modified']];
    const has = {
      ...(typeof etag === 'string' && { 'if-none-match': etag }),
      ...(typeof date === 'string' && { 'if-modified-since': date }),
    };
    assert.equal((await ask(one(kind), has)).status, 304, kind);
    if (kind === 'fresh') {
      await farm.nextRound();
      assert.equal((await ask(one(kind), has)).status, 200);
    }
  }
});

test('a feed that moved says where to, for good or for now', async () => {
  const [moved, lent] = [one('moved'), one('lent')];
  assert.equal((await ask(moved)).movedTo, movedAddress(moved, farm));
  assert.equal((await ask(lent)).movedTo, undefined);
  assert.equal((await ask(lent)).address, movedAddress(lent, farm));
});

test('the farm keeps a record of who asked for what', async () => {
  await farm.nextRound();
  await ask(one('tagged'), { 'if-none-match': '"other"' });
  await ask(one('gone'));
  const { requests } = await farm.report();
  assert.deepEqual(requests, {
    [one('tagged')]: [{ status: 200, isConditional: true, hasMoved: false }],
    [one('gone')]: [{ status: 410, isConditional: false, hasMoved: false }],
  });
});

test('nothing but the farm can be reached', async () => {
  await assert.rejects(fetcher.fetch(`http://127.0.0.1:${farm.port}/feed/1`), UnsafeAddress);
  await assert.rejects(fetcher.fetch('http://radio-haven.net/feed/1'), UnsafeAddress);
});

const most = async (): Promise<number> => (await farm.report()).mostAtOnce;

test('connections are counted: two, one after another for ever, and three at once', async () => {
  const host = hostOf(one('tagged'), FEEDS);
  const open = async (): Promise<Socket> => {
    const socket = connect(farm.port, ipOfHost(host));
    await once(socket, 'connect');
    return socket;
  };
  const first = await open();
  for (let times = 0; times < 300; times += 1) {
    const next = await open();
    // Until the farm has closed its end too: on a busy machine it would still count this one beside the next.
    next.resume().end();
    await once(next, 'close');
  }
  await sleep(50);
  assert.ok((await most()) <= 2, `${await most()} though there were two`);
  const [second, third] = [await open(), await open()];
  await sleep(50);
  assert.equal(await most(), 3);
  for (const socket of [first, second, third]) socket.destroy();
});
