import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestServer, startServer } from '../../../../test/apps/http-server.ts';
import { sendBody, statusOf } from '../../../../test/apps/sent-body.ts';
import { waitUntil } from '../../../../test/time/wait-until.ts';
import { bodyEndpoint } from './body-endpoint.ts';
import { textReply } from '../respond.ts';

const PLACES = 16;
/** An eighth of them. */
const OF_ADDRESS = 2;
const BODY_BYTES = 1000;

async function serverOf(answer = async () => textReply(200, 'saved')): Promise<TestServer> {
  const protocol = bodyEndpoint({
    paths: ['/saved/*'],
    methods: ['GET', 'POST'],
    maxBodyBytes: BODY_BYTES,
    maxConcurrency: PLACES,
    timeoutMs: 30_000,
    nameOf: () => 'save',
    answer,
    refuse: ({ status, message }) => textReply(status, message),
    secretsOf: () => [],
  });
  return startServer([], { protocols: [protocol] });
}

const WHOLE = 'x'.repeat(BODY_BYTES);
const address = (house: number): string => `127.0.7.${house + 1}`;
const send = (t: TestContext, { listeners }: TestServer, house: number, sent: string, length = BODY_BYTES) =>
  sendBody(t, listeners.httpPort, { from: address(house), path: '/saved/x', length, sent });

/** A body of which all is missing but its beginning. */
const sendHalf = (t: TestContext, server: TestServer, house: number): Socket =>
  send(t, server, house, 'half');

const sendWhole = (t: TestContext, server: TestServer, house: number): Promise<number> =>
  statusOf(send(t, server, house, WHOLE));

const isRefused = async (t: TestContext, server: TestServer, house: number) =>
  (await sendWhole(t, server, house)) === 503 || undefined;
const isServed = async (t: TestContext, server: TestServer, house: number) =>
  (await sendWhole(t, server, house)) === 200 || undefined;

test('bodies on their way take places: the next is refused before it is sent, and who sends none is not', async (t) => {
  await using server = await serverOf();
  const slow = Array.from({ length: PLACES }, (_none, house) => sendHalf(t, server, house));
  await waitUntil('every place is taken', () => isRefused(t, server, 100));
  const socket = send(t, server, 101, '');
  const [answer]: unknown[] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 503 [^]*Retry-After: 5\r\n[^]*Connection: close/);
  assert.equal((await fetch(`${server.origin}/saved/x`)).status, 200);
  assert.match(await server.options.metrics.registry.metrics(), /shed_total\{reason="in_flight"\} [1-9]/);
  // One comes to its end, one goes away.
  slow[0]?.write('x'.repeat(BODY_BYTES - 'half'.length));
  assert.equal(await statusOf(slow[0]!), 200);
  assert.equal(await sendWhole(t, server, 102), 200);
  sendHalf(t, server, 103);
  await waitUntil('the place is taken again', () => isRefused(t, server, 100));
  slow[1]?.destroy();
  await waitUntil('a place is free', () => isServed(t, server, 104));
});

test('no address takes more than its share of the places', async (t) => {
  await using server = await serverOf();
  for (let body = 0; body < OF_ADDRESS; body += 1) sendHalf(t, server, 0);
  await waitUntil('its share is taken', () => isRefused(t, server, 0));
  assert.equal(await sendWhole(t, server, 1), 200);
});

test('a body that is too large gives its place back', async (t) => {
  await using server = await serverOf();
  for (let time = 0; time < 2 * OF_ADDRESS; time += 1) {
    const socket = send(t, server, 0, '', BODY_BYTES + 1);
    assert.equal(await statusOf(socket), 413);
    await once(socket, 'close');
  }
});

/** Answers nobody before it is told to. */
async function silentServer(t: TestContext): Promise<{ server: TestServer; asked: () => number }> {
  let asked = 0;
  const waiting = Promise.withResolvers<void>();
  const server = await serverOf(async () => {
    asked += 1;
    await waiting.promise;
    return textReply(200, 'saved');
  });
  t.after(async () => {
    waiting.resolve();
    await server[Symbol.asyncDispose]();
  });
  return { server, asked: () => asked };
}

test('a body that is there holds no place, however long its answer takes', async (t) => {
  const { server, asked } = await silentServer(t);
  for (let body = 1; body <= 2 * OF_ADDRESS; body += 1) {
    send(t, server, 0, WHOLE);
    await waitUntil('it is being answered', async () => asked() === body || undefined);
  }
});

test('a body behind an answer that is still awaited gives its place back when the connection breaks', async (t) => {
  const { server, asked } = await silentServer(t);
  for (let time = 1; time <= OF_ADDRESS; time += 1) {
    const socket = send(t, server, 0, WHOLE);
    socket.write(`POST /saved/x HTTP/1.1\r\nHost: radio.test\r\nContent-Length: ${BODY_BYTES}\r\n\r\nhalf`);
    await waitUntil('the first is being answered', async () => asked() === time || undefined);
    socket.destroy();
  }
  await waitUntil('the places are free', async () => {
    const before = asked();
    send(t, server, 0, WHOLE);
    await sleep(100);
    return asked() > before || undefined;
  });
});
