import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../time/wait-until.ts';
import { type Haproxy, startHaproxy } from '../servers/haproxy.ts';
import { portOf } from '../servers/port-of.ts';

/** `maxconn` of the server in the example. */
const AT_ONCE = 64;
const PATIENCE_MS = 60_000;

let isHeld = false;
const held: http.ServerResponse[] = [];
const came: string[] = [];
const server = http.createServer(({ url = '' }, response) => {
  came.push(url);
  response.statusCode = Number(/status=(\d+)/.exec(url)?.[1] ?? 200);
  if (isHeld && url !== '/readyz') held.push(response);
  else response.end();
});
let proxy: Haproxy;
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  proxy = await startHaproxy(portOf(server));
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const get = (path: string, headers = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const target = { port: proxy.port, host: '127.0.0.1', path, headers, agent: false };
    http
      .get(target, (response) => response.resume().on('end', () => resolve(response.statusCode)))
      .on('error', reject);
  });
const many = (count: number, path: string, headers = {}): Promise<(number | undefined)[]> =>
  Promise.all(Array.from({ length: count }, () => get(path, headers)));

function release(): void {
  isHeld = false;
  for (const response of held.splice(0)) response.end();
}

test('a server gets as many calls as it answers at once, whatever they say they accept', async () => {
  const accept = 'text/event-stream';
  isHeld = true;
  const calls = many(AT_ONCE + 20, '/Browse.ashx', { accept });
  let [most, pages]: [number, (typeof calls)[]] = [0, []];
  try {
    await waitUntil('calls', async () => held.length >= AT_ONCE || undefined, PATIENCE_MS);
    await sleep(1000);
    most = held.length;
    pages = [many(10, '/listen/api/playing?ids=s1', { accept })];
    await waitUntil('pages', async () => held.length >= most + 10 || undefined, PATIENCE_MS);
  } finally {
    release();
  }
  const statuses = await calls;
  await Promise.all(pages);
  assert.equal(most, AT_ONCE);
  assert.equal(statuses.filter((status) => status === 503).length, 20, 'who waited too long is told');
});

/** Whether its calls wait behind those of another partner, which came later. */
async function waitsBehind(partner: string): Promise<boolean> {
  for (let time = 0; time < 20; time += 1) {
    isHeld = true;
    const filling = many(AT_ONCE, '/');
    await waitUntil('a busy server', async () => held.length >= AT_ONCE || undefined, PATIENCE_MS);
    came.length = 0;
    const calls = [many(20, `/Browse.ashx?partnerId=${partner}`)];
    await sleep(20);
    calls.push(many(20, '/Browse.ashx?partnerId=other'));
    await sleep(40);
    release();
    await Promise.all([filling, ...calls]);
    const order = came.filter((url) => url.includes('partnerId'));
    // On a busy machine some have waited too long.
    if (order.length === 40)
      return order.slice(0, 20).filter((url) => url.includes('partnerId=other')).length > 10;
  }
  return assert.fail('the machine is too busy');
}

test('a partner waits behind others if its devices ask too often, not if somebody asks in its name for what is not there', async () => {
  for (let time = 0; time < 30; time += 1) await many(10, '/nothing?partnerId=victim&status=404');
  assert.equal(await waitsBehind('victim'), false);
  for (let time = 0; time < 30; time += 1) await many(10, '/Tune.ashx?partnerId=loud&status=429');
  assert.equal(await waitsBehind('loud'), true);
});
