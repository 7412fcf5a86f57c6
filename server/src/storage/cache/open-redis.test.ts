import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import type { Redis } from 'ioredis';
import { closedPort, portOf } from '../../../test/servers/port-of.ts';
import { startRedis } from '../../../test/servers/redis-server.ts';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { openRedis } from './open-redis.ts';

const unconnected = (url: string): Redis['options'] => {
  const redis = openRedis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.disconnect();
  return redis.options;
};

test('the address of a server is taken as it is', () => {
  const { host, port, db, sentinels } = unconnected('redis://10.0.0.1:6380/3');
  assert.deepEqual([host, port, db, sentinels], ['10.0.0.1', 6380, 3, null]);
});

test('sentinels are named in the query, with or without a port, also by IPv6', () => {
  const options = unconnected(
    'redis+sentinel://radio:p%40ss@songs/2?sentinels=10.0.0.1,10.0.0.2:26380,[2001:db8::1]:26379',
  );
  assert.deepEqual(options.sentinels, [
    { host: '10.0.0.1', port: 26_379 },
    { host: '10.0.0.2', port: 26_380 },
    { host: '2001:db8::1', port: 26_379 },
  ]);
  const { name, username, password, db, enableTLSForSentinelMode } = options;
  assert.deepEqual([name, username, password, db], ['songs', 'radio', 'p@ss', 2]);
  assert.equal(enableTLSForSentinelMode, false);
});

test('sentinels with a password of their own, all over TLS', () => {
  const options = unconnected('rediss+sentinel://:one@songs?sentinels=10.0.0.1&sentinelPassword=o+th%2Fer');
  assert.deepEqual([options.password, options.sentinelPassword, options.db], ['one', 'o+th/er', 0]);
  assert.deepEqual([options.tls, options.enableTLSForSentinelMode], [{}, true]);
});

test('an address without sentinels says how one is written', () => {
  for (const url of [
    'redis+sentinel://songs',
    'redis+sentinel://songs/0?sentinels=',
    'redis+sentinel:///0?sentinels=10.0.0.1',
  ])
    assert.throws(() => unconnected(url), /REDIS_URL names no sentinels.*sentinels=host:26379/, url);
});

test('what is written wrongly is named, without the password', () => {
  for (const [url, said] of [
    ['redis+sentinel://:secret@songs/0?sentinels=10.0.0.1:99999', /names a sentinel as 10\.0\.0\.1:99999/],
    ['redis+sentinel://:secret@songs/0?sentinels=a/b', /names a sentinel as a\/b/],
    ['redis+sentinel://:secret@songs/zero?sentinels=10.0.0.1', /names the database zero/],
    ['redis+sentinel://:secret%zz@songs/0?sentinels=10.0.0.1', /write %25/],
  ] as const)
    assert.throws(
      () => unconnected(url),
      ({ message }: Error) => said.test(message) && !message.includes('secret'),
      url,
    );
});

/** A sentinel that says as little as it must, and what the given one answers about who leads. */
async function openSentinel(
  leader: () => string,
): Promise<AsyncDisposable & { port: number; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      heard.push(text);
      const answers: [asked: RegExp, answer: string][] = [
        [/hello/i, '-NOPROTO\r\n'],
        [/\r\nsentinels\r\n/i, '*0\r\n'],
        [/get-master-addr/, leader()],
      ];
      socket.write('+OK\r\n'.repeat(text.match(/client\r\n/gi)?.length ?? 0));
      for (const [asked, answer] of answers) if (asked.test(text)) socket.write(answer);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: portOf(server),
    heard,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

test('over TLS nothing is said to a sentinel that does not speak it', async () => {
  await using sentinel = await openSentinel(() => '*-1\r\n');
  const url = `rediss+sentinel://:one@songs?sentinels=127.0.0.1:${sentinel.port}&sentinelPassword=other`;
  const redis = openRedis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  await assert.rejects(redis.connect());
  redis.disconnect();
  assert.equal(sentinel.heard[0]?.charCodeAt(0), 22, 'a handshake of TLS');
  assert.ok(!sentinel.heard.join('').includes('other'));
});

test('a sentinel that answers with what is no address is asked again', async () => {
  const wrong = ['99999', 'abc', '-1'].map(
    (port) => `*2\r\n$9\r\n127.0.0.1\r\n$${port.length}\r\n${port}\r\n`,
  );
  wrong.push('*2\r\n$3\r\na\0b\r\n$4\r\n6379\r\n', '*2\r\n$0\r\n\r\n$4\r\n6379\r\n');
  let asked = 0;
  const all = Promise.withResolvers<undefined>();
  await using sentinel = await openSentinel(() => {
    asked += 1;
    if (asked > wrong.length) all.resolve(undefined);
    return wrong[asked % wrong.length] ?? '';
  });
  const url = `redis+sentinel://songs?sentinels=127.0.0.1:${sentinel.port}`;
  const redis = openRedis(url, { retryStrategy: () => 10 });
  redis.on('error', () => undefined);
  redis.once('end', () => all.reject(new Error('it was given up for good')));
  await all.promise;
  redis.removeAllListeners('end');
  redis.disconnect();
});

test('a server that follows another one now is left for the one that its address leads to', async (t) => {
  const ports = [await closedPort(), await closedPort()] as const;
  const servers = await Promise.all(ports.map((port) => startRedis(port)));
  t.after(() => servers.forEach((server) => server.kill('SIGKILL')));
  let leader = ports[0];
  // As a name or an address of a cluster does, which leads new connections elsewhere and leaves the others as they are.
  const address = createServer((socket) => {
    const server = connect(leader, '127.0.0.1');
    server
      .on('error', () => socket.destroy())
      .pipe(socket)
      .on('error', () => server.destroy())
      .pipe(server);
    t.after(() => server.destroy());
  });
  await once(address.listen(0, '127.0.0.1'), 'listening');
  t.after(() => address.close());
  const redis = openRedis(`redis://127.0.0.1:${portOf(address)}`, { retryStrategy: () => 20 });
  t.after(() => redis.disconnect());
  redis.on('error', () => undefined);
  await redis.set('song', 'before');
  const admin = openRedis(`redis://127.0.0.1:${ports[0]}`, {});
  t.after(() => admin.disconnect());
  await admin.replicaof('127.0.0.1', ports[1]);
  leader = ports[1];
  await assert.rejects(redis.set('song', 'between'), /READONLY/);
  await waitUntil(
    'the new leader is written to',
    async () => (await redis.set('song', 'after')) === 'OK' || undefined,
  );
});
