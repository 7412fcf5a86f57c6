import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { portOf } from '../../../test/servers/port-of.ts';
import { parseHead, readRequestHead, type RequestHead } from './request-head.ts';

const HEADS: [what: string, text: string, read: [method: string, path: string] | undefined][] = [
  ['a radio', 'GET /r/1.mp3 HTTP/1.0', ['GET', '/r/1.mp3']],
  ['a player', 'GET /r/1.mp3?x=1 HTTP/1.1\r\nHost: a\r\nIcy-MetaData: 1', ['GET', '/r/1.mp3']],
  ['lines that end with a line feed alone', 'HEAD / HTTP/1.0\nHost: a', ['HEAD', '/']],
  [
    'firmware that names the whole address',
    'GET http://radio.lan:8704/r/1.mp3 HTTP/1.1',
    ['GET', '/r/1.mp3'],
  ],
  ['what is no address', 'GET :// HTTP/1.1', ['GET', '']],
  ['TLS', '\x16\x03\x01\x02\x00', undefined],
  ['nothing', '', undefined],
  ['HTTP/2', 'PRI * HTTP/2.0', undefined],
];
for (const [what, text, read] of HEADS)
  test(what, () => {
    const head = parseHead(text);
    assert.deepEqual(head && [head.method, head.path], read);
  });

test('names of headers are in lower case, values without spaces around', () => {
  const head = parseHead('GET / HTTP/1.0\r\nICY-MetaData:  1 \r\nno header\r\n: nothing');
  assert.deepEqual([...(head?.headers ?? [])], [['icy-metadata', '1']]);
});

async function received(pieces: readonly string[], hangsUp = false): Promise<RequestHead | undefined> {
  const { promise, resolve } = Promise.withResolvers<RequestHead | undefined>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    void readRequestHead(socket).then(resolve);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = connect(portOf(server), '127.0.0.1').on('error', () => undefined);
  for (const piece of pieces) {
    caller.write(piece);
    await turn();
  }
  if (hangsUp) caller.end();
  const head = await promise;
  caller.destroy();
  server.close();
  return head;
}

test('a request may come byte by byte', async () => {
  const head = await received('GET /r/1.mp3 HTTP/1.0\r\nHost: a\r\n\r\n'.split(''));
  assert.equal(head?.path, '/r/1.mp3');
  assert.equal(head?.headers.get('host'), 'a');
});

test('who hangs up, and who sends without end, has no request', async () => {
  assert.equal(await received(['GET / HTTP/1.0\r\n'], true), undefined);
  assert.equal(await received(['GET / HTTP/1.0\r\n', `x: ${'y'.repeat(20_000)}`]), undefined);
});
