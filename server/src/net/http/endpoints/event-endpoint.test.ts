import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../../scripts/services/service.ts';
import { startServer } from '../../../../test/apps/http-server.ts';
import { Fault } from '../../../lib/fault.ts';
import type { EventEndpoint, StreamLimits } from './event-endpoint.ts';
import type { EventStream } from './event-stream.ts';

interface Stage {
  endpoint: EventEndpoint;
  open: EventStream[];
  ended: number;
}

function stage(limits: StreamLimits = {}): Stage {
  const made: Stage = {
    open: [],
    ended: 0,
    endpoint: {
      path: '/events',
      limits,
      prepare: (query) => {
        if (query.has('wrong')) throw new Fault(400, 'request.invalid', 'Say what you mean');
        return (stream) => {
          made.open.push(stream);
          stream.onEnd(() => {
            made.ended += 1;
          });
        };
      },
    },
  };
  return made;
}

/** Reads until what came matches. */
async function readUntil(response: Response, pattern: RegExp): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (pattern.test(text)) break;
  }
  return text;
}

test('what is sent arrives as events, and the end is told when the reader goes', async () => {
  const made = stage();
  await using server = await startServer([], { eventEndpoints: [made.endpoint] });
  const response = await fetch(`${server.origin}/events?x=1`, { headers: { origin: 'http://page.example' } });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.match(response.headers.get('cache-control') ?? '', /no-store/);
  assert.equal(response.headers.get('access-control-allow-origin'), null, 'no page elsewhere may read it');
  made.open[0]?.send('playing', '{"a":1}\nevent: forged');
  const text = await readUntil(response, /forged/);
  assert.match(text, /^retry: \d{4}\n\nevent: playing\ndata: \{"a":1\} event: forged\n\n$/);
  await waitUntil('the end', async () => made.ended === 1);
  made.open[0]?.send('playing', 'nobody listens');
});

test('only its own address opens a stream, since a proxy tells streams from calls by it', async () => {
  const made = stage();
  await using server = await startServer([], { eventEndpoints: [made.endpoint] });
  for (const path of ['/Events', '/event%73', '//events', '/events/']) {
    const response = await fetch(server.origin + path);
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type') ?? '', /text/);
  }
  assert.equal(made.open.length, 0);
  await (await fetch(`${server.origin}/events?x=1`)).body?.cancel();
  assert.equal(made.open.length, 1);
});

test('silence is broken so that nobody between gives up', async () => {
  const made = stage({ beatMs: 20 });
  await using server = await startServer([], { eventEndpoints: [made.endpoint] });
  assert.match(await readUntil(await fetch(`${server.origin}/events`), /:\n\n:\n\n/), /\n\n:\n\n/);
});

test('a stream ends by itself after a while', async () => {
  const made = stage({ longestMs: 30 });
  await using server = await startServer([], { eventEndpoints: [made.endpoint] });
  assert.match(await (await fetch(`${server.origin}/events`)).text(), /^retry/);
  assert.equal(made.ended, 1);
});

test('a call that means nothing, another site and one too many are told in plain words', async () => {
  const made = stage({ most: 3, mostOfAddress: 2 });
  const proxied = { trustedProxies: [] };
  await using server = await startServer([], { eventEndpoints: [made.endpoint], ...proxied });
  const ask = (query = '', headers = {}): Promise<Response> =>
    fetch(`${server.origin}/events${query}`, { headers });
  const wrong = await ask('?wrong=1');
  assert.deepEqual([wrong.status, await wrong.text()], [400, 'Say what you mean\n']);
  assert.equal((await ask('', { 'sec-fetch-site': 'cross-site' })).status, 403);
  const first = await ask('', { 'sec-fetch-site': 'same-origin' });
  const second = await ask();
  const third = await ask();
  assert.deepEqual([third.status, third.headers.get('retry-after')], [429, '30']);
  await first.body?.cancel();
  await waitUntil('room', async () => made.ended === 1);
  const again = await ask();
  assert.equal(again.status, 200);
  await second.body?.cancel();
  await again.body?.cancel();
});

test('the whole server has its bound too', async () => {
  const made = stage({ most: 1 });
  await using server = await startServer([], { eventEndpoints: [made.endpoint] });
  const first = await fetch(`${server.origin}/events`);
  const second = await fetch(`${server.origin}/events`);
  assert.equal(second.status, 503);
  assert.match(await second.text(), /Describe\.ashx\?c=nowplaying/);
  await first.body?.cancel();
});

test('a reader that does not fetch is let go before it fills the memory', async () => {
  const made = stage();
  await using server = await startServer([], { eventEndpoints: [made.endpoint] });
  const socket = connect(server.listeners.httpPort, '127.0.0.1');
  socket.write('GET /events HTTP/1.1\r\nHost: radio.test\r\n\r\n');
  await once(socket, 'readable');
  const line = 'x'.repeat(10_000);
  let sent = 0;
  while (made.ended === 0 && sent < 2000) {
    made.open[0]?.send('playing', line);
    sent += 1;
    if (sent % 10 === 0) await sleep(1);
  }
  assert.equal(made.ended, 1, `${sent} events of 10 kB`);
  socket.destroy();
});

test('a graceful stop does not wait for those who listen, and sends them to come back', async () => {
  const made = stage();
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await startServer([], { eventEndpoints: [made.endpoint] }));
  const listening = await fetch(`${server.origin}/events`, { signal: AbortSignal.timeout(3000) });
  const { readiness } = server.options;
  readiness.drain();
  assert.match(await listening.text(), /^retry: \d+\n\n$/);
  const late = await fetch(`${server.origin}/events`);
  assert.deepEqual([late.status, /^retry: \d+\n\n$/.test(await late.text())], [200, true]);
  opened.move();
  const before = performance.now();
  await server.listeners.close(5000);
  assert.ok(performance.now() - before < 2000, 'nothing was waited for');
});
