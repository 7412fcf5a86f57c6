import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SafeFetcher } from '../fetch/fetch-safely.ts';
import { Deadline } from '../fetch/deadline.ts';
import { operatorsChoice } from '../fetch/policy.ts';
import { PooledBuffer, StreamReader } from './stream-reader.ts';

const fetcher = new SafeFetcher({ policy: operatorsChoice });
const HEAD = 'HTTP/1.0 200 OK\r\n\r\n';
const MAX_WAIT_MS = 5000;

interface Reading extends AsyncDisposable {
  reader: StreamReader;
  deadline: Deadline;
  bytesTaken: () => number;
}

/** Reads from who sends a head and all of that to whoever comes, unasked, and then closes. */
async function readFrom(sent: Buffer): Promise<Reading> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write(HEAD);
    socket.end(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const reader = new StreamReader();
  const deadline = new Deadline(MAX_WAIT_MS);
  const { socket } = await fetcher.open(`http://127.0.0.1:${port}/`, deadline, reader.take);
  reader.attach(socket);
  return {
    reader,
    deadline,
    bytesTaken: () => socket.bytesRead,
    async [Symbol.asyncDispose]() {
      reader[Symbol.dispose]();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Every four bytes are another number, so that nothing can be lost, doubled or mixed up unseen. */
const numbered = (bytes: number, from: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: bytes / 4 }, (_none, index) => from + index).buffer);

test('no more is taken from a connection than is wanted, and all of it comes', async () => {
  const sent = numbered(8 * 2 ** 20, 0);
  await using reading = await readFrom(sent);
  const { reader, deadline } = reading;
  await reader.untilHead(deadline, MAX_WAIT_MS);
  assert.equal(reader.head?.status, 200);
  await sleep(100);
  assert.ok(reading.bytesTaken() <= 64 * 1024, `${reading.bytesTaken()} bytes taken, none wanted`);
  for (const wanted of [100, 16 * 1024, 40_000, 2 ** 20, sent.length]) {
    await reader.untilBody(deadline, MAX_WAIT_MS, wanted);
    assert.ok(reader.isThere(wanted));
    assert.ok(reader.body.length >= wanted && reader.body.length < wanted + 64 * 1024);
    assert.ok(reader.body.equals(sent.subarray(0, reader.body.length)));
  }
  await reader.untilBody(deadline, MAX_WAIT_MS, sent.length + 1);
  assert.ok(!reader.isThere(sent.length + 1), 'there is no more');
});

test('what comes over many connections at once, one after the other in the same memory, is not mixed up', async () => {
  for (let round = 0; round < 4; round += 1) {
    const sent = Array.from({ length: 8 }, (_none, place) =>
      numbered(20_000, (round * 8 + place) * 10_000_000),
    );
    const isAsSent = await Promise.all(
      sent.map(async (bytes) => {
        await using reading = await readFrom(bytes);
        await reading.reader.untilBody(reading.deadline, MAX_WAIT_MS, bytes.length);
        return reading.reader.body.equals(bytes);
      }),
    );
    assert.deepEqual(isAsSent, Array(8).fill(true));
  }
});

test('of a stream that is done with nothing is left to look at', async () => {
  await using reading = await readFrom(numbered(1000, 0));
  await reading.reader.untilBody(reading.deadline, MAX_WAIT_MS, 1000);
  reading.reader[Symbol.dispose]();
  assert.equal(reading.reader.body.length, 0);
  assert.equal(reading.reader.take(Buffer.from('more')), true, 'and what comes late goes nowhere');
  assert.equal(reading.reader.body.length, 0);
});

const filled = (byte: number, length: number): Buffer => Buffer.alloc(length, byte);

test('what is added stands side by side, also when it becomes more than a block holds', () => {
  using block = new PooledBuffer();
  for (let byte = 1; byte <= 9; byte += 1) block.add(filled(byte, 10_000));
  assert.equal(block.length, 90_000);
  const expected = Buffer.concat(Array.from({ length: 9 }, (_none, index) => filled(index + 1, 10_000)));
  assert.ok(block.bytes.equals(expected));
});

test('a block that is done with shows nothing, takes nothing, and its memory serves the next', () => {
  const first = new PooledBuffer();
  first.add(filled(1, 100));
  const memory = first.bytes.buffer;
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  first.add(filled(2, 100));
  assert.deepEqual([first.length, first.bytes.length], [0, 0]);
  using second = new PooledBuffer();
  using third = new PooledBuffer();
  assert.equal(second.bytes.buffer, memory);
  assert.notEqual(third.bytes.buffer, memory, 'given back twice, it is still lent only once');
});
