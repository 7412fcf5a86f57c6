import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { Connections, type HostLimits, HOST_LIMITER } from './connections.ts';
import { Deadline } from './deadline.ts';
import { checkAddress } from './policy.ts';
import { HostBusy } from './host-limiter.ts';

/** Listens on every address of 127/8, so that there are as many networks as wanted; keeps what connects. */
let server: Server;
const kept = new Set<Socket>();
before(async () => {
  server = createServer((socket) => {
    kept.add(socket);
    socket.on('error', () => undefined).on('close', () => kept.delete(socket));
  });
  server.listen(0, '0.0.0.0', 1024);
  await once(server, 'listening');
});
after(() => {
  for (const socket of kept) socket.destroy();
  server.close();
});

/** The name says the address: `a-127-0-3-1.example.net`. */
const resolve = async (host: string): Promise<string[]> => [
  /127-\d+-\d+-\d+/.exec(host)![0].replaceAll('-', '.'),
];
const policy = { resolve, isAllowed: (ip: string) => ip.startsWith('127.'), connectMs: 60_000 };

function to(host: string): ReturnType<typeof checkAddress> {
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  return checkAddress(`http://${host}.example.net:${(server.address() as AddressInfo).port}/`);
}

/** However much else the machine does. */
const PATIENT_MS = 60_000;

/** How many of so many get through, and what the others are told: who comes after the first so many has but a moment. */
async function rush(
  connections: Connections,
  hosts: readonly string[],
  context = hosts.length,
  momentMs = 1500,
): Promise<{ open: Socket[]; refused: unknown[] }> {
  const open: Socket[] = [];
  const refused: unknown[] = [];
  await Promise.all(
    hosts.map(async (host, index) => {
      try {
        const deadline = new Deadline(index < context ? PATIENT_MS : momentMs);
        open.push(await connections.open(to(host), deadline));
      } catch (error) {
        refused.push(error);
      }
    }),
  );
  return { open, refused };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => {
      const closed = once(socket, 'close');
      socket.destroy();
      return closed;
    }),
  );
}

const LIMITED: Record<string, { hosts: string[]; most: number }> = {
  'of one host': { hosts: times(6, () => 'a-127-0-1-1'), most: HOST_LIMITER.host },
  'of one network, whatever the names': {
    hosts: times(30, (n) => `a${n}-127-0-2-${n + 1}`),
    most: HOST_LIMITER.network,
  },
  'in all': { hosts: times(250, (n) => `a${n}-127-1-${n}-1`), most: HOST_LIMITER.all },
};
for (const [which, { hosts, most }] of Object.entries(LIMITED)) {
  test(`no more than ${most} at once ${which}; the others wait, and are told that it was not the host`, async () => {
    const connections = new Connections(policy);
    const first = await rush(connections, hosts, most);
    assert.equal(first.open.length, most);
    assert.equal(first.refused.length, hosts.length - most);
    assert.ok(first.refused.every((error) => error instanceof HostBusy));
    await closeAll(first.open);
    const second = await rush(connections, hosts.slice(0, most));
    assert.equal(second.open.length, most, 'seats are free when connections close');
    await closeAll(second.open);
  });
}

test('who waits for a busy host keeps no seat from others', async () => {
  const connections = new Connections(policy);
  const slow = await rush(connections, ['slow-127-0-4-1', 'slow-127-0-4-1']);
  const waiting = rush(
    connections,
    times(90, () => 'slow-127-0-4-1'),
    0,
  );
  const others = await rush(
    connections,
    times(HOST_LIMITER.all - 2, (n) => `b${n}-127-2-${n}-1`),
  );
  assert.equal(others.open.length, HOST_LIMITER.all - 2);
  assert.equal((await waiting).open.length, 0);
  await closeAll([...slow.open, ...others.open]);
});

test('a connection that the other side closes frees its seat, before anybody looks', async () => {
  const connections = new Connections(policy);
  const { open } = await rush(connections, ['c-127-0-5-1', 'c-127-0-5-1']);
  for (const socket of open) socket.resume();
  const left = new Set(open);
  for (const socket of open) socket.once('close', () => left.delete(socket));
  // The other side may not have them all yet, and still has some that were closed here.
  while (left.size > 0) {
    for (const socket of kept) socket.end();
    await sleep(5);
  }
  const again = await rush(connections, ['c-127-0-5-1', 'c-127-0-5-1']);
  assert.equal(again.open.length, 2);
  await closeAll(again.open);
});

test('where nobody answers at the first address of a name, the next is tried', async () => {
  const quiet = createServer().listen(0, '127.0.8.9');
  await once(quiet, 'listening');
  const names = {
    two: ['127.0.8.8', '127.0.8.9'],
    none: ['127.0.8.7', '127.0.8.8'],
    inside: ['127.0.8.9', '10.0.0.1'],
  };
  const resolveAll = async (host: string): Promise<string[]> =>
    Object.entries(names).find(([name]) => host.startsWith(name))?.[1] ?? [];
  const connections = new Connections({ ...policy, resolve: resolveAll });
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = quiet.address() as AddressInfo;
  const at = (name: string): ReturnType<typeof checkAddress> =>
    checkAddress(`http://${name}.example.net:${port}/`);
  for (let tries = 0; tries < 30; tries += 1) {
    const socket = await connections.open(at('two'), new Deadline(5000));
    assert.equal(socket.remoteAddress, '127.0.8.9');
    await closeAll([socket]);
    await assert.rejects(connections.open(at('none'), new Deadline(5000)), { step: 'connect' });
    await assert.rejects(connections.open(at('inside'), new Deadline(5000)), { name: 'UnsafeAddress' });
  }
  quiet.close();
});

test('a refused or failed connection leaves no seat taken', async () => {
  const connections = new Connections({ ...policy, isAllowed: (ip) => ip === '127.0.6.1' });
  for (let tries = 0; tries < 30; tries += 1)
    await assert.rejects(connections.open(to('d-127-0-6-2'), new Deadline(5000)), { name: 'UnsafeAddress' });
  const { open } = await rush(connections, ['d-127-0-6-1']);
  assert.equal(open.length, 1);
  await closeAll(open);
});

test('seats shared with others are asked for first, and given back even when they come too late', async () => {
  let taken = 0;
  let given = 0;
  const { promise: isTooLate, resolve: comeTooLate } = Promise.withResolvers<void>();
  const shared: HostLimits = {
    async take(host) {
      taken += 1;
      if (host.startsWith('late')) await isTooLate;
      return { [Symbol.dispose]: () => void (given += 1) };
    },
  };
  const connections = new Connections(policy, shared);
  const { open } = await rush(
    connections,
    times(5, () => 'e-127-0-7-1'),
  );
  assert.equal(open.length, 5, 'how many there are is theirs to say');
  const late = await rush(connections, ['late-127-0-7-1'], 0, 300);
  assert.ok(late.refused[0] instanceof HostBusy);
  await closeAll(open);
  comeTooLate();
  await waitUntil('every seat to be given back', async () => given === taken || undefined);
  assert.deepEqual([taken, given], [6, 6]);
});
