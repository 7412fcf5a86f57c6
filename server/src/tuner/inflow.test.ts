import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { Patience } from '../lib/fetch-safely/patience.ts';
import { operatorsChoice } from '../lib/fetch-safely/policy.ts';
import { Inflow } from './inflow.ts';

const fetcher = new SafeFetcher({ policy: operatorsChoice });
const HEAD = 'HTTP/1.0 200 OK\r\n\r\n';
const PATIENCE_MS = 5000;

interface Reading extends AsyncDisposable {
  inflow: Inflow;
  patience: Patience;
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
  const inflow = new Inflow();
  const patience = new Patience(PATIENCE_MS);
  const { socket } = await fetcher.open(`http://127.0.0.1:${port}/`, patience, inflow.take);
  inflow.attach(socket);
  return {
    inflow,
    patience,
    bytesTaken: () => socket.bytesRead,
    async [Symbol.asyncDispose]() {
      inflow[Symbol.dispose]();
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
  const { inflow, patience } = reading;
  await inflow.untilHead(patience, PATIENCE_MS);
  assert.equal(inflow.head?.status, 200);
  await sleep(100);
  assert.ok(reading.bytesTaken() <= 64 * 1024, `${reading.bytesTaken()} bytes taken, none wanted`);
  for (const wanted of [100, 16 * 1024, 40_000, 2 ** 20, sent.length]) {
    await inflow.untilBody(patience, PATIENCE_MS, wanted);
    assert.ok(inflow.isThere(wanted));
    assert.ok(inflow.body.length >= wanted && inflow.body.length < wanted + 64 * 1024);
    assert.ok(inflow.body.equals(sent.subarray(0, inflow.body.length)));
  }
  await inflow.untilBody(patience, PATIENCE_MS, sent.length + 1);
  assert.ok(!inflow.isThere(sent.length + 1), 'there is no more');
});

test('what comes over many connections at once, one after the other in the same memory, is not mixed up', async () => {
  for (let round = 0; round < 4; round += 1) {
    const sent = Array.from({ length: 8 }, (_none, place) =>
      numbered(20_000, (round * 8 + place) * 10_000_000),
    );
    const isAsSent = await Promise.all(
      sent.map(async (bytes) => {
        await using reading = await readFrom(bytes);
        await reading.inflow.untilBody(reading.patience, PATIENCE_MS, bytes.length);
        return reading.inflow.body.equals(bytes);
      }),
    );
    assert.deepEqual(isAsSent, Array(8).fill(true));
  }
});

test('of a stream that is done with nothing is left to look at', async () => {
  await using reading = await readFrom(numbered(1000, 0));
  await reading.inflow.untilBody(reading.patience, PATIENCE_MS, 1000);
  reading.inflow[Symbol.dispose]();
  assert.equal(reading.inflow.body.length, 0);
  assert.equal(reading.inflow.take(Buffer.from('more')), true, 'and what comes late goes nowhere');
  assert.equal(reading.inflow.body.length, 0);
});
