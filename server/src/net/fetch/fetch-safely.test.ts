import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { collectGarbage } from '../../../test/processes/collect-garbage.ts';
import { UnsafeAddress } from './fetch-failed.ts';
import { FETCH_LIMITS, SafeFetcher } from './fetch-safely.ts';
import type { Policy } from './policy.ts';

type Page = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let port: number;
let insideHeard = 0;
let inside: Server;
let concurrency = 0;
let mostAtOnce = 0;

const redirect =
  (status: number, location: string): Page =>
  (_request, response) =>
    response.writeHead(status, { location }).end();

/** A thousand megabytes in one: the parts of a gzip file may stand one after the other. */
const BOMB = Buffer.concat(Array<Buffer>(20).fill(gzipSync(Buffer.alloc(50 * 2 ** 20))));
/** Who is still there then has not been left at any deadline below. */
const MUCH_LATER_MS = 60_000;
let drops = 0;

const pages: Record<string, Page> = {
  '/plain': (_request, response) => response.setHeader('etag', '"1"').end('plain'),
  '/asked': ({ headers }, response) => response.end(JSON.stringify(headers)),
  '/unchanged': (_request, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end(),
  '/nothing-zipped': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 0 }).end(),
  '/zipped': (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('zipped')),
  '/moved': redirect(301, '/plain'),
  '/found': redirect(302, '/moved'),
  '/loop': redirect(302, '/loop'),
  '/inside': (_request, response) => redirect(302, `http://127.0.0.1:${port}/plain`)(_request, response),
  '/file': redirect(302, 'file:///etc/passwd'),
  '/named': (_request, response) => redirect(302, `http://inside.example.net:${port}/`)(_request, response),
  '/bomb': (_request, response) => response.setHeader('content-encoding', 'gzip').end(BOMB),
  '/twice': (_request, response) =>
    response.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(gzipSync('twice'))),
  '/brotli': (_request, response) => response.setHeader('content-encoding', 'br').end('x'),
  '/broken-zip': (_request, response) => response.setHeader('content-encoding', 'gzip').end('not gzip'),
  '/cut-zip': (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(9999)).subarray(0, 20)),
  '/large': (_request, response) => response.end(Buffer.alloc(3 * 2 ** 20)),
  '/endless': (_request, response) => {
    const more = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
    response.on('close', () => clearInterval(more));
  },
  '/drip': (_request, response) => {
    const more = setInterval(() => void (response.write('x') && (drops += 1)), 20);
    const end = setTimeout(() => response.end(), MUCH_LATER_MS).unref();
    response.on('close', () => (clearInterval(more), clearTimeout(end)));
  },
  '/silent': (_request, response) => {
    const end = setTimeout(() => response.end(), MUCH_LATER_MS).unref();
    response.on('close', () => clearTimeout(end));
  },
  '/round': (_request, response) => {
    concurrency += 1;
    mostAtOnce = Math.max(mostAtOnce, concurrency);
    response.on('close', () => (concurrency -= 1));
    setTimeout(() => response.writeHead(302, { location: '/counted' }).end(), 10);
  },
  '/counted': (_request, response) => {
    concurrency += 1;
    mostAtOnce = Math.max(mostAtOnce, concurrency);
    setTimeout(() => {
      concurrency -= 1;
      response.end();
    }, 20);
  },
};

before(async () => {
  server = createServer((request, response) => pages[request.url ?? '']?.(request, response));
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  port = portOf(server);
  inside = createServer((_request, response) => {
    insideHeard += 1;
    response.end('secret');
  });
  inside.listen(port, '127.0.0.1');
  await once(inside, 'listening');
});
after(() => {
  server.closeAllConnections();
  server.close();
  inside.close();
});

// oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
const portOf = (listening: { address(): unknown }): number => (listening.address() as AddressInfo).port;

const policy: Policy = {
  resolve: async (host) => [host === 'inside.example.net' ? '127.0.0.1' : '127.0.0.2'],
  isAllowed: (ip) => ip === '127.0.0.2',
  connectMs: MUCH_LATER_MS,
};
const fetcher = new SafeFetcher({ policy });
/** A busy machine takes its time: only a test of a deadline has a short one. */
const PATIENT = { deadlineMs: MUCH_LATER_MS, firstByteMs: MUCH_LATER_MS };
const get = (path: string, options = {}) =>
  fetcher.fetch(`http://radio.example.net:${port}${path}`, { ...PATIENT, ...options });

test('a body comes whole, with its headers, compressed or not', async () => {
  const plain = await get('/plain');
  assert.deepEqual([plain.status, plain.body.toString(), plain.headers['etag']], [200, 'plain', '"1"']);
  assert.equal((await get('/zipped')).body.toString(), 'zipped');
  const asked: Record<string, string> = JSON.parse(
    String((await get('/asked', { headers: { 'if-none-match': '"1"' } })).body),
  );
  assert.equal(asked['if-none-match'], '"1"');
  assert.equal(asked['host'], `radio.example.net:${port}`);
  assert.equal(asked['accept-encoding'], 'gzip');
});

test('of nothing there is nothing to unpack, whatever it is called', async () => {
  const unchanged = await get('/unchanged', { headers: { 'if-none-match': '"1"' } });
  assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
  assert.equal((await get('/nothing-zipped')).body.length, 0);
});

test('redirects are followed; only those that say so move an address for good', async () => {
  const moved = await get('/moved');
  assert.equal(moved.movedTo, `http://radio.example.net:${port}/plain`);
  const found = await get('/found');
  assert.deepEqual([found.body.toString(), found.movedTo], ['plain', undefined]);
  assert.equal(found.address, moved.address);
});

test('no redirect leads inside, to another kind of address, or round and round', async () => {
  for (const path of ['/inside', '/named', '/file', '/loop'])
    await assert.rejects(get(path), UnsafeAddress, path);
  assert.equal(insideHeard, 0);
});

const TOO_LARGE = ['/bomb', '/large', '/endless'];
const NOT_ASKED_FOR = ['/twice', '/brotli'];
test('what is too large or compressed in an unknown way is left', async () => {
  for (const path of [...TOO_LARGE, ...NOT_ASKED_FOR]) await assert.rejects(get(path), UnsafeAddress, path);
  for (const path of ['/broken-zip', '/cut-zip']) await assert.rejects(get(path), path);
});

test('a bomb takes little memory', async () => {
  await get('/bomb').catch(() => undefined);
  collectGarbage();
  const { rss, arrayBuffers } = process.memoryUsage();
  for (let tries = 0; tries < 5; tries += 1) {
    await assert.rejects(get('/bomb'), UnsafeAddress);
    // Otherwise it depends on the runtime's leisure how much of the last tries still lies about.
    collectGarbage();
  }
  const mostMb = 16 + (5 * FETCH_LIMITS.maxBytes) / 2 ** 20;
  const tookMb = (process.memoryUsage.rss() - rss) / 2 ** 20;
  assert.ok(tookMb < mostMb, `it took ${tookMb.toFixed(0)} MB, of ${mostMb}`);
  const keptMb = (): number => {
    collectGarbage();
    return (process.memoryUsage().arrayBuffers - arrayBuffers) / 2 ** 20;
  };
  // The last connection lets go of what it read when the system has closed it.
  for (const end = performance.now() + 5000; keptMb() >= 1 && performance.now() < end;) await sleep(50);
  assert.ok(keptMb() < 1, `${keptMb().toFixed(0)} MB are kept`);
});

test('who says nothing, or one byte at a time, is left at the deadline', async () => {
  for (const path of ['/silent', '/drip'])
    await assert.rejects(get(path, { deadlineMs: 300 }), { name: 'FetchFailed', isLate: true }, path);
});

test('never more than two at once of one host', async () => {
  await Promise.all(Array.from({ length: 12 }, () => get('/counted')));
  assert.equal(mostAtOnce, 2);
});

test('nor on the way from one of its addresses to another', async () => {
  mostAtOnce = 0;
  const answers = await Promise.all(Array.from({ length: 12 }, () => get('/round')));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(mostAtOnce, 2);
});

/** Without a timer, since those stand still. */
async function hasFallen(count: number): Promise<void> {
  const isEnough = (): boolean => drops >= count;
  while (!isEnough()) await setImmediate();
}

test('the wait for the first byte has an end of its own', async (t) => {
  await assert.rejects(get('/silent', { firstByteMs: 100 }), { step: 'answer', isLate: true });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  drops = 0;
  const slow = get('/drip', { firstByteMs: 5000, deadlineMs: 20_000 });
  const isLeft = assert.rejects(slow, { step: 'whole', isLate: true }, 'a first byte in time, and no end');
  // Both ends are in this process: what was written several turns ago has been read.
  await hasFallen(5);
  t.mock.timers.tick(5000);
  await hasFallen(drops + 5);
  t.mock.timers.tick(15_000);
  await isLeft;
});

test('who calls it off gets their own reason back', async () => {
  const ending = new AbortController();
  const silent = get('/silent', { signal: ending.signal });
  setTimeout(() => ending.abort(new Error('the worker stops')), 50);
  await assert.rejects(silent, /the worker stops/);
});
