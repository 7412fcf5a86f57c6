import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, test } from 'node:test';
import { SafeFetcher } from './fetch-safely.ts';
import { Deadline } from './deadline.ts';

/** 127.0.0.2 and 127.0.0.3 play the internet. */
const policy = {
  resolve: async (host: string) => [host.startsWith('other.') ? '127.0.0.3' : '127.0.0.2'],
  isAllowed: (ip: string) => ip === '127.0.0.2' || ip === '127.0.0.3',
  connectMs: 30_000,
};
const fetcher = new SafeFetcher({ policy, userAgent: 'longwave-test/1' });

interface Asked {
  at: string | undefined;
  method: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}
let asked: Asked[] = [];
let server: Server;
let port: number;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers, socket, url = '' } = request;
  const body = (await request.toArray()).join('');
  asked.push({ at: socket.localAddress, method, headers, body });
  const status = Number(/^\/(\d+)/.exec(url)?.[1] ?? 200);
  const location = `http://other.example.net:${port}/`;
  response.writeHead(status, status < 300 ? {} : { location }).end('done');
}

before(async () => {
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer x' };
async function post(path: string): Promise<number> {
  asked = [];
  const { status } = await fetcher.fetch(`http://hub.example.net:${port}${path}`, {
    method: 'POST',
    body: 'hub.mode=subscribe',
    headers: FORM,
  });
  return status;
}

test('a body is posted, with who we are', async () => {
  assert.equal(await post('/'), 200);
  const [{ method, headers, body } = assert.fail()] = asked;
  assert.deepEqual([method, body], ['POST', 'hub.mode=subscribe']);
  assert.equal(headers['user-agent'], 'longwave-test/1');
  assert.equal(headers['content-length'], '18');
  assert.equal(headers['authorization'], 'Bearer x');
});

test('what was posted goes to another host only when it is asked for the same, without its headers', async () => {
  for (const status of [301, 302, 303]) {
    assert.equal(await post(`/${status}`), status);
    assert.equal(asked.length, 1);
  }
  for (const status of [307, 308]) {
    assert.equal(await post(`/${status}`), 200);
    const again = asked[1] ?? assert.fail();
    assert.deepEqual([again.at, again.method, again.body], ['127.0.0.3', 'POST', 'hub.mode=subscribe']);
    assert.equal(again.headers['content-type'], FORM['content-type']);
    assert.equal(again.headers['authorization'], undefined);
  }
});

test('no header of a question reaches whom a redirect names', async () => {
  asked = [];
  await fetcher.fetch(`http://hub.example.net:${port}/302`, {
    headers: { 'if-none-match': '"1"', cookie: 'a=b' },
  });
  const [first = assert.fail(), second = assert.fail()] = asked;
  assert.equal(first.headers['if-none-match'], '"1"');
  assert.deepEqual(Object.keys(second.headers).toSorted(), [
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
});

test('a bare connection goes to the same places, on the same seats, and is closed when it is done with', async () => {
  const radio = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('ICY 200 OK\r\nicy-name:Town FM\r\n\r\n'));
  });
  radio.listen(0, '127.0.0.2');
  await once(radio, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  const address = `http://radio.example.net:${(radio.address() as AddressInfo).port}/`;
  const first = await fetcher.open(address, new Deadline(5000));
  {
    using second = await fetcher.open(address, new Deadline(5000));
    second.socket.write('GET / HTTP/1.0\r\nicy-metadata: 1\r\n\r\n');
    const [line] = await once(second.socket, 'data');
    assert.match(String(line), /^ICY 200 OK\r\nicy-name:Town FM/);
    await assert.rejects(fetcher.open(address, new Deadline(200)), { name: 'HostBusy' });
  }
  (await fetcher.open(address, new Deadline(5000)))[Symbol.dispose]();
  first[Symbol.dispose]();
  await assert.rejects(fetcher.open('http://127.0.0.1:8000/', new Deadline(5000)), { name: 'UnsafeAddress' });
  await assert.rejects(fetcher.open('http://radio.example.net:6379/', new Deadline(5000)), {
    name: 'UnsafeAddress',
  });
  radio.close();
});
