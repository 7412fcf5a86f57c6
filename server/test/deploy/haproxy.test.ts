import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../time/wait-until.ts';
import { type Haproxy, startHaproxy } from '../servers/haproxy.ts';
import { portOf } from '../servers/port-of.ts';

/** `maxconn` of the server in the example. */
const AT_ONCE = 64;
const PATIENCE_MS = 60_000;

let isHeld = false;
let connections = 0;
const held: http.ServerResponse[] = [];
const came: string[] = [];
const server = http.createServer(({ url = '' }, response) => {
  if (url !== '/readyz') came.push(url);
  const isFirst = came.indexOf(url) === came.length - 1;
  response.statusCode = Number(/status=(\d+)/.exec(url)?.[1] ?? 200);
  if (url.includes('limit=partner')) response.setHeader('X-Longwave-Limit', 'partner');
  // As a server that ends.
  if (isFirst && url.includes('hangup')) response.destroy();
  else if (isHeld && url !== '/readyz') held.push(response);
  else response.end();
});
server.on('connection', () => (connections += 1));
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

const get = ({ port }: Haproxy, path: string, headers = {}, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const target = { port, host: '127.0.0.1', path, headers, agent: false, method };
    http
      .request(target, (response) => response.resume().on('end', () => resolve(response.statusCode)))
      .on('error', reject)
      .end();
  });
const many = (through: Haproxy, count: number, path: string, headers = {}): Promise<(number | undefined)[]> =>
  Promise.all(Array.from({ length: count }, () => get(through, path, headers)));

function release(): void {
  isHeld = false;
  for (const response of held.splice(0)) response.end();
}

test('a server gets as many calls as it answers at once, whatever they say they accept', async () => {
  const accept = 'text/event-stream';
  isHeld = true;
  const calls = many(proxy, AT_ONCE + 20, '/Browse.ashx', { accept });
  let [most, pages]: [number, (typeof calls)[]] = [0, []];
  try {
    await waitUntil('calls', async () => held.length >= AT_ONCE || undefined, PATIENCE_MS);
    await sleep(1000);
    most = held.length;
    pages = [many(proxy, 10, '/listen/api/playing?ids=s1', { accept })];
    await waitUntil('pages', async () => held.length >= most + 10 || undefined, PATIENCE_MS);
  } finally {
    release();
  }
  const statuses = await calls;
  await Promise.all(pages);
  assert.equal(most, AT_ONCE);
  assert.equal(statuses.filter((status) => status === 503).length, 20, 'who waited too long is told');
});

test('who is sent away is logged, without the query and the whole address; who is answered is not', async () => {
  const earlier = proxy.log().length;
  isHeld = true;
  const calls = many(proxy, AT_ONCE + 1, '/Tune.ashx?id=s1&serial=SECRETSERIAL');
  const line = /^127\.0\.0\.0 radios longwave\/\S+ \S+ 503 \S+ \S+ \S+ GET \/Tune\.ashx$/m;
  try {
    await waitUntil('the line', async () => line.test(proxy.log()) || undefined, PATIENCE_MS);
  } finally {
    release();
    await calls;
  }
  await get(proxy, '/Browse.ashx?c=local');
  await get(proxy, '/nothing?status=404');
  await get(proxy, '/broken?status=500');
  await waitUntil('the error', async () => proxy.log().includes(' GET /broken') || undefined, PATIENCE_MS);
  const paths = proxy.log().slice(earlier).match(/\S+$/gm);
  assert.deepEqual(paths, ['/Tune.ashx', '/broken'], 'and no call that was answered');
  assert.doesNotMatch(proxy.log(), /SECRETSERIAL|127\.0\.0\.1/);
});

test('who sends a body slowly, and who reads a long list slowly, takes no place from those who call', async () => {
  await using patient = await startHaproxy(portOf(server), { queueMs: PATIENCE_MS });
  const sockets = [100, 40_000].flatMap((length) =>
    Array.from({ length: AT_ONCE + 1 }, () => {
      const socket = connect(patient.port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST /Browse.ashx?slow=${length} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`,
      );
      socket.write('x'.repeat(length * 0.75));
      return socket;
    }),
  );
  isHeld = true;
  const lists = many(patient, AT_ONCE + 1, '/json/stations');
  await waitUntil('lists and large bodies', async () => held.length >= 64 || undefined, PATIENCE_MS);
  try {
    await sleep(500);
    assert.equal(held.length, 2 * 32, 'no body of which all fits into the buffer, and 32 of the others');
    isHeld = false;
    assert.equal(await get(patient, '/Tune.ashx?id=s1'), 200);
  } finally {
    for (const socket of sockets) socket.destroy();
    release();
    await lists;
  }
});

test('radios that connect for each call need no new connection to Longwave', async () => {
  const calls = 20;
  await many(proxy, calls, '/Browse.ashx');
  const earlier = connections;
  for (let time = 0; time < 20; time += 1) await many(proxy, calls, '/Browse.ashx');
  assert.ok(connections - earlier < 200, `${connections - earlier} connections for 400 calls`);
});

/** The status, and how often the server was asked. */
async function timesAsked(path: string, method?: string): Promise<[number | undefined, number]> {
  came.length = 0;
  return [await get(proxy, path, {}, method), came.length];
}

test('what only reads is asked again where a server ends, what saves is not', async () => {
  assert.deepEqual(await timesAsked('/Tune.ashx?id=s1&hangup'), [200, 2]);
  assert.deepEqual(await timesAsked('/Preset.ashx?c=add&id=s1&hangup'), [502, 1]);
  assert.deepEqual(await timesAsked('/Tune.ashx?id=s2&hangup', 'POST'), [502, 1]);
});

async function hasCome(calls: number): Promise<void> {
  while (came.length < calls) await once(server, 'request');
}

/** Whether its calls wait behind those of another partner, which came later. */
async function waitsBehind(through: Haproxy, partner: string): Promise<boolean> {
  isHeld = true;
  const filling = many(through, AT_ONCE, '/');
  await waitUntil('a busy server', async () => held.length >= AT_ONCE || undefined, PATIENCE_MS);
  came.length = 0;
  const calls: (typeof filling)[] = [];
  for (const partnerId of [partner, 'other']) {
    calls.push(many(through, 20, `/Browse.ashx?partnerId=${partnerId}`));
    const waiting = 20 * calls.length;
    await waitUntil('calls', async () => (await through.waiting()) === waiting || undefined, PATIENCE_MS);
  }
  // One place at a time: of those for whom there are places at once, nobody has to go first.
  for (const [n, response] of held.splice(0).entries()) {
    response.end();
    if (n < 40) await hasCome(n + 1);
  }
  release();
  await Promise.all([filling, ...calls]);
  const order = came.filter((url) => url.includes('partnerId'));
  assert.equal(order.length, 40, 'nobody was sent away');
  return order.slice(0, 20).every((url) => url.includes('partnerId=other'));
}

test('a partner waits behind others if its devices ask too often, not if somebody asks in its name for what is not there, or too often', async () => {
  await using patient = await startHaproxy(portOf(server), { queueMs: PATIENCE_MS });
  for (let time = 0; time < 30; time += 1) await many(patient, 10, '/nothing?partnerId=victim&status=404');
  for (let time = 0; time < 30; time += 1) await many(patient, 10, '/Tune.ashx?partnerId=victim&status=429');
  assert.equal(await waitsBehind(patient, 'victim'), false);
  const refused = `status=429&limit=partner`;
  for (let time = 0; time < 30; time += 1) await many(patient, 10, `/Tune.ashx?partnerId=loud&${refused}`);
  assert.equal(await waitsBehind(patient, 'loud'), true);
  const { headers } = await fetch(`http://127.0.0.1:${patient.port}/?${refused}`);
  assert.equal(headers.get('x-longwave-limit'), null, 'callers are not told');
});
