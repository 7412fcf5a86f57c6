import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { closedPort } from '../../../test/servers/port-of.ts';
import { spawnRedis } from '../../../test/servers/redis-server.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { PlayingBoard } from './playing-board.ts';
import { RedisStore } from './redis-store.ts';
import type { Song } from './song.ts';
import { StoreAway } from './store.ts';

const servers: ChildProcess[] = [];
after(() => servers.forEach((redis) => redis.kill('SIGKILL')));

function started(port: number): ChildProcess {
  const redis = spawnRedis(port);
  servers.push(redis);
  return redis;
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, `in vain: ${what}`);
    await sleep(20);
  }
}

const songNow = (title: string): Song => ({
  title,
  startedAt: Date.now(),
  heardAt: Date.now(),
  source: 'icy',
});

test('while Redis is away what is known is told, one line says so, and afterwards all goes on', async () => {
  const port = await closedPort();
  const lines: string[] = [];
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  const first = started(port);
  await using store = new RedisStore({ url: `redis://127.0.0.1:${port}`, log });
  await store.connected();
  lines.length = 0;
  await using board = new PlayingBoard({ store, clock: systemClock });
  const tell = (heard: Song): Promise<void> => store.publish([{ stationId: 1, heard, dueInMs: 60_000 }]);
  // Whoever subscribes hears nothing before the connection is there.
  await until('the first song', async () => {
    await tell(songNow('Before'));
    await sleep(20);
    return board.songOf(1)?.title === 'Before';
  });

  first.kill('SIGKILL');
  await once(first, 'exit');
  await until('the loss to be seen', () => lines.length > 0);
  const tookMs: number[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const begun = performance.now();
    await assert.rejects(tell(songNow('Lost')), StoreAway);
    await assert.rejects(store.claimDue(10, 1000), StoreAway);
    tookMs.push(performance.now() - begun);
    assert.equal(board.songOf(1)?.title, 'Before');
    assert.equal(board.asked(7), true);
    await board.flush();
    await sleep(20);
  }
  // Who waits does so each time; a machine with much to do is slow now and then.
  assert.ok(tookMs.filter((ms) => ms < 500).length > 10, `it waits: ${tookMs.join()}`);
  assert.equal(lines.length, 1, lines.join(''));
  assert.match(lines[0] ?? '', /"level":"warn".*Redis is unreachable/);

  started(port);
  await until('the news to flow again', async () => {
    await tell(songNow('After')).catch(() => undefined);
    return board.songOf(1)?.title === 'After';
  });
  assert.match(lines.at(-1) ?? '', /Redis is reachable again/);
  board.asked(7);
  await board.flush();
  assert.deepEqual(await store.claimDue(10, 1000), [{ stationId: 7, song: undefined }]);
});

/** Leads on to a Redis; `fall` has every connection through it go silent, as when the machine behind it is gone. */
async function lineTo(redisPort: number): Promise<{ port: number; fall: () => void } & Disposable> {
  const open = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(redisPort, '127.0.0.1');
    for (const socket of [near, far]) open.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  const address = line.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    fall: () => open.forEach((socket) => socket.unpipe().pause()),
    [Symbol.dispose]: () => {
      line.close();
      open.forEach((socket) => socket.destroy());
    },
  };
}

test('a connection to Redis that has gone silent is given up for another, and one line says so', async () => {
  const redisPort = await closedPort();
  started(redisPort);
  using line = await lineTo(redisPort);
  const lines: string[] = [];
  const log = createLog({ level: 'info', sink: { write: (text) => void lines.push(text) } });
  await using store = new RedisStore({ url: `redis://127.0.0.1:${line.port}`, log });
  await store.connected();
  await store.ask([1]);
  lines.length = 0;
  line.fall();
  await assert.rejects(store.ask([2]), StoreAway);
  await until('an answer over another connection', () =>
    store.ask([2]).then(
      () => true,
      () => false,
    ),
  );
  assert.match(lines.join(''), /Redis is unreachable[^]*Redis is reachable again/);
});

test('a Redis that follows another one, as after a failover, counts as away until it leads', async (t) => {
  const port = await closedPort();
  started(port);
  await using store = new RedisStore({
    url: `redis://127.0.0.1:${port}`,
    log: createLog({ level: 'silent' }),
  });
  await store.connected();
  await store.ask([1]);
  const redis = new Redis(port);
  t.after(() => redis.disconnect());
  await redis.replicaof('127.0.0.1', await closedPort());
  await assert.rejects(store.ask([2]), StoreAway);
  await redis.replicaof('NO', 'ONE');
  await until('it is asked again', () =>
    store.ask([2]).then(
      () => true,
      () => false,
    ),
  );
});

test('a Redis that was never there keeps nobody from serving', async () => {
  const log = createLog({ level: 'silent' });
  await using store = new RedisStore({ url: `redis://127.0.0.1:${await closedPort()}`, log });
  await using board = new PlayingBoard({ store, clock: systemClock });
  assert.equal(board.asked(1), true);
  await board.flush();
  assert.equal(board.songOf(1), undefined);
});
