import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestServer, sendRaw, startServer } from '../../../test/apps/http-server.ts';
import { waitUntil } from '../../../test/time/wait-until.ts';
import type { Action, Endpoint } from '../../protocols/radiotime/call/endpoint.ts';

const pages: Endpoint = {
  paths: ['/Browse.ashx', '/'],
  actions: new Map<string, Action>([
    ['', () => ({ title: 'Ünïcode', outlines: [{ type: 'text' as const, text: 'é'.repeat(2000) }] })],
    ['slow', async () => ({ title: 'slow', outlines: await sleep(50, []) })],
    ['tune', () => ({ playlist: ['http://a/1'], contentType: 'audio/x-mpegurl' })],
  ]),
};
let server: TestServer;
/** Cuts off who is slow, and so on a busy machine anybody: only what is meant to be cut off is sent there. */
let hasty: TestServer;
before(async () => {
  const socketLimits = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
  server = await startServer([pages], { publicHosts: [] }, { maxConnections: 20 });
  hasty = await startServer([pages], { publicHosts: [] }, { socketLimits });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
});

/** Longer than a busy machine takes; the server ends the connection long before. */
const MAX_WAIT_MS = 60_000;
const send = (text: string | Buffer, to = server): Promise<string> =>
  sendRaw(to.listeners.httpPort, text, MAX_WAIT_MS);

interface RawReply {
  status: string;
  headers: Map<string, string>;
  body: string;
}

function parseReply(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  return { status, headers, body: text.slice(end + 4) };
}

function assertWhole({ status, headers, body }: RawReply): void {
  assert.equal(status, 'HTTP/1.1 200 OK');
  assert.equal(headers.get('transfer-encoding'), undefined);
  assert.equal(headers.get('content-length'), String(body.length));
  assert.ok(body.length > 0);
}

test('HTTP/1.0 without a Host is answered whole, and the connection ends', async () => {
  const reply = parseReply(await send('GET / HTTP/1.0\r\n\r\n'));
  assertWhole(reply);
  assert.equal(reply.headers.get('connection'), 'close');
  assert.equal(reply.headers.get('content-type'), 'text/xml; charset=utf-8');
});

test('Connection: close is honoured; Range and a form type on a GET are ignored', async () => {
  const headers =
    'Host: x:80\r\nConnection: close\r\nRange: bytes=0-\r\nContent-Type: application/x-www-form-urlencoded\r\n';
  const reply = parseReply(await send(`GET /?c=tune HTTP/1.1\r\n${headers}\r\n`));
  assertWhole(reply);
  assert.equal(reply.headers.get('content-type'), 'audio/x-mpegurl');
  assert.equal(reply.headers.get('connection'), 'close');
});

test('HTTP/1.1 without a Host is answered too', async () => {
  assertWhole(parseReply(await send('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')));
});

test('two calls on one connection are answered in order', async () => {
  const text = await send(
    'GET /?c=tune HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  const [, first = '', second = ''] = text.split('HTTP/1.1 200 OK');
  assert.match(first, /audio\/x-mpegurl/);
  assert.match(first, /Connection: keep-alive/);
  assert.match(second, /text\/xml/);
});

test('who asks to be told to go on while another call is under way is answered in order', async () => {
  const first = 'GET /?c=slow HTTP/1.1\r\nHost: x\r\n\r\n';
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 6\r\nExpect: 100-continue';
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n\r\nc=tune';
  const [slow = '', second = ''] = (await send(`${first}${head}\r\n${form}`)).split(/(?=HTTP\/1\.1 \d)/);
  assert.match(slow, /slow/);
  assert.match(second, /^HTTP\/1\.1 200 OK[^]*http:\/\/a\/1/);
});

test('a request that names the type of a body and has none is answered', async () => {
  const type = 'Connection: close\r\nContent-Type: application/x-www-form-urlencoded';
  const statusOf = async (line: string): Promise<string> =>
    parseReply(await send(`${line} HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\n`)).status;
  assert.equal(await statusOf('POST /?c=tune'), 'HTTP/1.1 200 OK');
  assert.equal(await statusOf('POST /nothing'), 'HTTP/1.1 404 Not Found');
  assert.equal(await statusOf('DELETE /?c=tune'), 'HTTP/1.1 404 Not Found');
});

test('a HEAD has a length and no body', async () => {
  const reply = parseReply(await send('HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
  assert.ok(Number(reply.headers.get('content-length')) > 4000);
  assert.equal(reply.body, '');
});

test('bare UTF-8 in a form is understood', async () => {
  const form = Buffer.from('c=tune&query=björk');
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const head = `POST / HTTP/1.0\r\n${type}\r\nContent-Length: ${form.length}\r\n\r\n`;
  const reply = parseReply(await send(Buffer.concat([Buffer.from(head), form])));
  assertWhole(reply);
  assert.equal(reply.headers.get('content-type'), 'audio/x-mpegurl');
});

test('an absolute address, as a proxy is sent, is answered', async () => {
  assertWhole(
    parseReply(
      await send('GET http://x/Browse.ashx?c=tune HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ),
  );
});

const hostile: [what: string, bytes: string][] = [
  [
    'a __proto__ header',
    'GET / HTTP/1.1\r\nHost: x\r\n__proto__: y\r\nconstructor: z\r\nConnection: close\r\n\r\n',
  ],
  ['a __proto__ parameter', 'GET /?__proto__=x&constructor=y&c=__proto__ HTTP/1.0\r\n\r\n'],
  ['a NUL in the address', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00'],
  ['HTTP/0.9', 'GET /\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a bad length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nConnection: close\r\n\r\n'],
  ['a huge address', `GET /?${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a huge header', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(9000)}\r\n\r\n`],
  ['a broken path', 'GET /%zzCANARY HTTP/1.0\r\n\r\n'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['a CONNECT', 'CONNECT evil:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an upgrade', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
];
for (const [what, bytes] of hostile) {
  test(`${what} is no 5xx, tells nothing back, and the next call is served`, async () => {
    const text = await sendRaw(server.listeners.httpPort, bytes, 1000);
    assert.doesNotMatch(text, /^HTTP\/1\.1 5|CANARY|aaaa/);
    assertWhole(parseReply(await send('GET /?c=tune HTTP/1.0\r\n\r\n')));
  });
}

test('headers over 8 KiB are refused as that', async () => {
  assert.match(await send(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(9000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
});

test('who sends its headers too slowly is cut off', async () => {
  assert.match(await send('GET / HTTP/1.1\r\nHost: x\r\n', hasty), /^HTTP\/1\.1 408 /);
});

test('who sends its form too slowly is cut off', async () => {
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const text = await send(`POST / HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 100\r\n\r\na=`, hasty);
  assert.doesNotMatch(text, /200 OK|HTTP\/1\.1 5/);
  await waitUntil(
    'the log of a form cut off',
    async () => /"level":"debug".*"opmlStatus":400/.exec(hasty.logLines.at(-1) ?? '')?.[0],
  );
});

test('a connection too many is dropped, and one after those are gone is not', async () => {
  const sockets = Array.from({ length: 25 }, () =>
    connect(server.listeners.httpPort, '127.0.0.1').on('error', () => undefined),
  );
  await Promise.race(sockets.map((socket) => once(socket, 'close')));
  for (const socket of sockets) socket.destroy();
  // The server hears of their end when it comes to it, and drops who comes before.
  await waitUntil('a place', async () => (await send('GET /?c=tune HTTP/1.0\r\n\r\n')) || undefined);
  assertWhole(parseReply(await send('GET /?c=tune HTTP/1.0\r\n\r\n')));
});
