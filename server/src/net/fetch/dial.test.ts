import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { allowedIps, type Destination, dial } from './dial.ts';
import { UnsafeAddress } from './fetch-failed.ts';
import { Deadline } from './deadline.ts';
import { checkAddress, type Policy, publicInternet } from './policy.ts';

/** 127.0.0.2 plays the internet, 127.0.0.1 the inside; both listen on one port, and the inside must never hear a thing. */
let inside: Server;
let outside: Server;
let port: number;
let insideHeard = 0;

before(async () => {
  inside = createServer((socket) => {
    insideHeard += 1;
    socket.on('error', () => undefined).destroy();
  });
  inside.listen(0, '127.0.0.1');
  await once(inside, 'listening');
  port = portOf(inside);
  outside = createServer((socket) => socket.on('error', () => undefined).end('hello'));
  outside.listen(port, '127.0.0.2');
  await once(outside, 'listening');
});
after(() => {
  inside.close();
  outside.close();
});

// oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const policy = (resolve: Policy['resolve']): Policy => ({
  resolve,
  isAllowed: (ip) => ip === '127.0.0.2',
  connectMs: 10_000,
});
const context = (): Deadline => new Deadline(60_000);
const dialled = async (to: Destination, by: Policy, deadline: Deadline): Promise<Socket> =>
  dial((await allowedIps(to.host, by, deadline))[0] ?? assert.fail(), to, by, deadline);
const call = async (host: string, by: Policy): Promise<void> => {
  const socket = await dialled({ host, port, isSecure: false }, by, context());
  socket.destroy();
};

const REFUSED = `
  127.0.0.1 0.0.0.0 10.0.0.1 100.64.0.1 169.254.169.254 172.16.0.1 192.0.0.1 192.168.1.1
  198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16 100.100.100.200 192.88.99.1 ::
  ::1 ::7f00:1 ::ffff:7f00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001::1
  2001:db8::1 3fff::1 100::1 100:0:0:1::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
  fec0::1 ff00::1 4000::1 ::a9fe:a9fe`
  .trim()
  .split(/\s+/);

test('no address of a private or reserved network is public', () => {
  const through = REFUSED.filter((ip) => publicInternet.isAllowed(ip));
  assert.deepEqual(through, []);
  for (const ip of ['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111'])
    assert.ok(publicInternet.isAllowed(ip), ip);
});

test('nothing is connected to, whether a literal, a name with that address, or one of several', async () => {
  const spellings = ['127.1', '0177.0.0.1', '0x7f.1', '2130706433', '127。0。0。1', '[::ffff:127.0.0.1]'];
  for (const spelling of spellings) {
    const { host } = checkAddress(`http://${spelling}:8000/`);
    await assert.rejects(
      dialled({ host, port, isSecure: false }, publicInternet, context()),
      UnsafeAddress,
      spelling,
    );
  }
  for (const ip of REFUSED) {
    await assert.rejects(call(ip, publicInternet), UnsafeAddress, ip);
    const named = { ...publicInternet, resolve: async () => ['93.184.216.34', ip] };
    await assert.rejects(call('radio.example.net', named), UnsafeAddress, ip);
  }
  assert.equal(insideHeard, 0);
});

test('a name that changes its address between two questions is asked only once', async () => {
  let asked = 0;
  const rebinding = policy(async () => {
    asked += 1;
    return [asked % 2 === 1 ? '127.0.0.2' : '127.0.0.1'];
  });
  const TRIES = 10_000;
  let through = 0;
  for (let tries = 0; tries < TRIES; tries += 50) {
    const batch = await Promise.allSettled(
      Array.from({ length: 50 }, () => call('rebind.example.net', rebinding)),
    );
    for (const one of batch) {
      if (one.status === 'rejected') assert.ok(one.reason instanceof UnsafeAddress, String(one.reason));
      else through += 1;
    }
  }
  assert.equal(asked, TRIES);
  assert.equal(through, TRIES / 2, 'half of the answers were the outside');
  assert.equal(insideHeard, 0);
});

test('the control: a connection by name alone does reach the inside', async () => {
  const open = { ...policy(async () => ['127.0.0.1']), isAllowed: () => true };
  await call('rebind.example.net', open);
  await waitUntil('the inside to hear it', async () => insideHeard > 0 || undefined);
  assert.equal(insideHeard, 1);
});

test('a look-up or a connection that never ends is given up', async () => {
  const silent = { ...policy(() => new Promise(() => undefined)), connectMs: 50 };
  await assert.rejects(call('silent.example.net', silent), {
    name: 'FetchFailed',
    step: 'lookup',
    isLate: true,
  });
  const stopped = AbortSignal.abort(new Error('stop'));
  await assert.rejects(
    dialled(
      { host: '127.0.0.2', port, isSecure: false },
      policy(async () => []),
      new Deadline(5000, stopped),
    ),
    /stop/,
  );
});

/** Takes no connection that comes: when its short line is full, the kernel lets who knocks wait. */
const NOT_AT_HOME = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.2', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

test('a connection that is never made is given up in its own time', async () => {
  const worker = new Worker(NOT_AT_HOME, { eval: true });
  const [full] = await once(worker, 'message');
  const hasty = { ...policy(async () => ['127.0.0.2']), connectMs: 200 };
  const knock = (): Promise<Socket> =>
    dialled({ host: 'radio.example.net', port: full, isSecure: false }, hasty, context());
  const knocks = await Promise.allSettled(Array.from({ length: 6 }, knock));
  const late = knocks.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const one of knocks) if (one.status === 'fulfilled') one.value.destroy();
  await worker.terminate();
  assert.ok(late.length > 0);
  for (const error of late) assert.deepEqual([error.step, error.isLate], ['connect', true]);
});

test('a look-up that takes too long is called off, not only left', async () => {
  let isCalledOff = false;
  const slow = policy((_host, { signal }) => {
    signal.addEventListener('abort', () => (isCalledOff = true));
    return new Promise(() => undefined);
  });
  await assert.rejects(call('slow.example.net', { ...slow, connectMs: 20 }), { name: 'FetchFailed' });
  assert.ok(isCalledOff);
});
