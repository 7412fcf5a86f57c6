import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startSmallServer } from '../test/small-server.ts';
import { DirectoryClient, DirectoryFault, NoAnswer } from './client.ts';

const page = (body: string, head = '<status>200</status>'): string =>
  `<?xml version="1.0" encoding="UTF-8"?><opml version="1"><head>${head}</head><body>${body}</body></opml>`;

/** A server for the length of a test. */
async function answering(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ baseUrl: string }> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}` };
}

test('a fault has status, code and words, whichever the rendering', async () => {
  const server = await startSmallServer();
  for (const render of ['xml', 'json'] as const) {
    const client = new DirectoryClient({ baseUrl: server.origin, render });
    await assert.rejects(
      client.browse.byId('local'),
      (error) => error instanceof DirectoryFault && error.status === 400,
    );
  }
  const xml = new DirectoryClient({ baseUrl: server.origin, render: 'xml' });
  await assert.rejects(xml.browse.byId('local'), {
    code: 'request.idInvalid',
    message: 'Invalid ID for browse',
  });
  await server.close();
});

test('a refusal before the protocol says when to come back', async (t) => {
  const server = await answering(t, (_, response) => {
    response.writeHead(429, { 'Retry-After': '7', 'Content-Type': 'text/xml' });
    response.end(
      page('', '<status>429</status><fault>Too many</fault><fault_code>request.tooMany</fault_code>'),
    );
  });
  await assert.rejects(new DirectoryClient(server).browse.index(), {
    name: 'DirectoryFault',
    status: 429,
    code: 'request.tooMany',
    retryAfterSeconds: 7,
  });
});

test('a deadline ends a call that is not answered, and the caller’s signal ends it as the caller says', async (t) => {
  const server = await answering(t, () => undefined);
  const client = new DirectoryClient({ ...server, deadlineMs: 50 });
  await assert.rejects(
    client.browse.index(),
    (error) => error instanceof NoAnswer && /within 50 ms/.test(error.message),
  );
  const slow = new DirectoryClient({ ...server, deadlineMs: 60_000 });
  const signal = AbortSignal.abort(new Error('the listener left'));
  await assert.rejects(slow.browse.index({ signal }), /the listener left/);
});

test('a body that trickles is ended by the same deadline', async (t) => {
  const server = await answering(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/xml' });
    response.write('<?xml version="1.0"?>');
  });
  await assert.rejects(new DirectoryClient({ ...server, deadlineMs: 100 }).browse.index(), /within 100 ms/);
});

test('what is no directory is told as such', async (t) => {
  const server = await answering(t, (_, response) => response.end('<html><p>It works!</html>'));
  await assert.rejects(
    new DirectoryClient(server).browse.index(),
    /no answer of a directory; is its address right/,
  );
  const nobody = new DirectoryClient({ baseUrl: 'http://127.0.0.1:1' });
  await assert.rejects(nobody.browse.index(), /is the directory up/);
});

test('a password is never sent in the clear, nor in an address, nor on to another one', async (t) => {
  const asked: string[] = [];
  const server = await answering(t, (request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(request.url === '/Preset.ashx' ? 200 : 302, { Location: '/elsewhere' });
      response.end(page(''));
    });
  });
  const account = { username: 'ann', password: 'secret!' };
  const client = new DirectoryClient({ ...server, partnerId: 'x', serial: 'device', ...account });
  await assert.rejects(client.account.auth(account), /secureBaseUrl/);
  await assert.rejects(client.preset.add({ id: 's1' }), /secureBaseUrl/);
  assert.deepEqual(asked, []);
  const trusting = client.with({ allowInsecure: true, render: 'xml' });
  await trusting.preset.add({ id: 's1' }, { presetNumber: 2 });
  await assert.rejects(trusting.account.auth(account), NoAnswer);
  const form = 'c=add&id=s1&presetNumber=2&password=secret%21&partnerId=x&username=ann';
  assert.deepEqual(asked, [
    `POST /Preset.ashx ${form}`,
    'POST /Account.ashx c=auth&password=secret%21&partnerId=x&username=ann',
  ]);
});

test('pages are opened as they are needed, and a circle ends', async (t) => {
  const asked: string[] = [];
  const server = await answering(t, (request, response) => {
    asked.push(request.url ?? '');
    const station = `<outline type="audio" text="S" guide_id="s${asked.length}"/>`;
    const offset = asked.length < 3 ? asked.length : 1;
    const link = `http://${request.headers.host}/Browse.ashx?offset=${offset}`;
    const next = `<outline type="link" text="More Stations" URL="${link}" key="nextStations"/>`;
    response.end(page(`<outline text="Stations">${station}${next}</outline>`));
  });
  const client = new DirectoryClient({ ...server, render: 'xml' });
  const stations = client.stations(await client.browse.byId('g1'));
  assert.equal((await stations.next()).value.guideId, 's1');
  assert.equal(asked.length, 1);
  const rest = await Array.fromAsync(stations, ({ guideId }) => guideId);
  assert.deepEqual(rest, ['s2', 's3']);
});
