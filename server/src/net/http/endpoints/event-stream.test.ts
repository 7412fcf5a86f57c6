import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { OpenStream } from './event-stream.ts';

test('one that is ended does not wait for a reader that fetches nothing', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const reader = connect(port, '127.0.0.1');
  t.after(() => {
    reader.destroy();
    server.closeAllConnections();
    server.close();
  });
  reader.write('GET / HTTP/1.1\r\nHost: radio.test\r\n\r\n');
  const asked = await once(server, 'request');
  const response: ServerResponse = asked[1];
  const stream = new OpenStream(response);
  do {
    stream.send('playing', 'x'.repeat(50_000));
    await sleep(5);
  } while (response.writableLength === 0);
  assert.equal(response.destroyed, false, 'it may still catch up');
  stream.end();
  await once(response, 'close', { signal: AbortSignal.timeout(10_000) });
});
