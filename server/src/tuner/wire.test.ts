import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { operatorsChoice } from '../lib/fetch-safely/policy.ts';
import { Wire } from './wire.ts';

const never = new AbortController().signal;
const fetcher = new SafeFetcher({ policy: operatorsChoice });

interface Reading extends AsyncDisposable {
  wire: Wire;
  socket: Socket;
}

/** Reads from who sends all of that to whoever comes, unasked, and then closes. */
async function readFrom(sent: Buffer): Promise<Reading> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(sent));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const wire = new Wire();
  const { socket } = await fetcher.open(`http://127.0.0.1:${port}/`, {
    signal: AbortSignal.timeout(5000),
    take: wire.take,
  });
  wire.attach(socket, never);
  return {
    wire,
    socket,
    async [Symbol.asyncDispose]() {
      wire[Symbol.dispose]();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Every four bytes are another number, so that nothing can be lost, doubled or mixed up unseen. */
const numbered = (bytes: number, from: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: bytes / 4 }, (_none, index) => from + index).buffer);

async function readAll(wire: Wire): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let piece = await wire.next(); piece; piece = await wire.next()) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('no more is taken from a connection than is read, and all of it comes', async () => {
  const sent = numbered(8 * 2 ** 20, 0);
  await using reading = await readFrom(sent);
  await sleep(100);
  assert.ok(reading.socket.bytesRead <= 64 * 1024, `${reading.socket.bytesRead} bytes taken, none read`);
  assert.ok(sent.equals(await readAll(reading.wire)));
});

test('what comes over several connections at once is not mixed up', async () => {
  const sent = Array.from({ length: 8 }, (_none, place) => numbered(2 ** 20, place * 10_000_000));
  const came = await Promise.all(
    sent.map(async (bytes) => {
      await using reading = await readFrom(bytes);
      return await readAll(reading.wire);
    }),
  );
  for (const [place, bytes] of sent.entries()) assert.ok(bytes.equals(came[place] ?? Buffer.alloc(0)));
});
