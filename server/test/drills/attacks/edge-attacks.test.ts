import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sendRaw } from '../../apps/http-server.ts';
import { type EdgeWorld, type Headers, HOST, KEY, openEdgeWorld } from './edge-world.ts';

let world: EdgeWorld;

before(async () => {
  world = await openEdgeWorld();
});
after(() => world[Symbol.asyncDispose]());

const OWN = 'partnerId=drill&formats=mp3,aac&serial=victim';
const MENUS = ['/Browse.ashx?', '/Browse.ashx?c=music&', '/Browse.ashx?id=r0&render=json&'];

/** The victim's menus, which it has seen before and which it has not, are those of the directory. */
async function assertUnharmed(attempt: string): Promise<void> {
  for (const own of [OWN, 'partnerId=drill&formats=mp3,aac&serial=newcomer', ''])
    for (const menu of MENUS) {
      const near = await world.throughEdge(menu + own);
      assert.deepEqual(near, await world.fromService(menu + own), `${menu}${own} after ${attempt}`);
      assert.doesNotMatch(near.body, /evil|https:/, attempt);
    }
}

/** What might be believed, and is part of no key. */
const HEADERS: Headers[] = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-scheme': 'https', 'x-forwarded-port': '443', 'x-forwarded-ssl': 'on' },
  { 'x-forwarded-server': 'evil.example', 'x-host': 'evil.example' },
  { forwarded: 'for=192.0.2.1;host=evil.example;proto=https' },
  { 'x-original-url': '/Browse.ashx?c=talk', 'x-rewrite-url': '/Browse.ashx?c=talk' },
  { 'x-http-method-override': 'POST' },
  { 'accept-language': ['en', 'evil', 'de'] },
  { 'x-longwave-caller': '600 &serial=evil http://evil.example;1;en;;;;' },
  { 'x-longwave-edge': KEY.replace('drills', 'evil'), 'x-longwave-template': 'evil' },
  { x_longwave_edge: 'evil' },
  { host: 'evil.example' },
  { host: `${HOST}:81` },
  { host: HOST.toUpperCase() },
  { 'user-agent': 'evil', cookie: 'evil=1', authorization: 'Basic ZXZpbDpldmls' },
  { range: 'bytes=0-10', 'if-none-match': '*', 'accept-encoding': 'gzip', te: 'trailers' },
  { 'cache-control': 'no-store', pragma: 'no-cache', 'content-length': '0' },
];

test('no header changes what another caller gets', async () => {
  await assertUnharmed('nothing');
  for (const headers of HEADERS) {
    for (const menu of MENUS) await world.throughEdge(menu + OWN, headers).catch(() => undefined);
    await assertUnharmed(JSON.stringify(headers));
  }
});

/** To be sent as the victim, in the hope that a key takes them for something else than the directory does. */
const QUERIES = [
  `c=music&c=talk&${OWN}`,
  `C=talk&c=music&${OWN}`,
  `c=talk;c=music&${OWN}`,
  `${OWN}&%63=talk&c=music`,
  `c%00=talk&c=music&${OWN}`,
  `c=music%26c=talk&${OWN}`,
  `c=music&${OWN}&serial=evil`,
  `c=music&${OWN}&SERIAL=evil`,
  `c=music&${OWN}&s%65rial=evil`,
  `c=music&${OWN}&locale=evil&locale=de`,
  `c=music&${OWN}&callback=evil`,
  `c=music&render=json&callback=evil&${OWN}`,
  `c=music&${OWN}&for=http://evil.example;1;en;;;;`,
  `c=music&for=http://evil.example;1;en;;;;&${OWN}`,
  `?c=music&${OWN}`,
  `c=music&${OWN}&&&`,
  `c=music&${OWN}&evil`,
  `c=music&password=evil&${OWN}`,
  `c=mu%73ic&${OWN}`,
  `c=music#evil&${OWN}`,
  `c=music&${OWN}&${'x=1&'.repeat(40)}`,
  `c=music&offset=evil&${OWN}`,
  `c=&id=&${OWN}`,
];
const PATHS = [
  '/Browse.ashx?',
  '/browse.ashx?',
  '/BROWSE.ASHX?',
  '//Browse.ashx?',
  '/./Browse.ashx?',
  '/Browse%2Eashx?',
];

test('no way to write a query changes what another caller gets, and each is answered as the directory does', async () => {
  for (const path of PATHS)
    for (const query of QUERIES) {
      const asked = path + query;
      // Twice: the second time the edge knows the caller.
      for (let again = 0; again < 2; again += 1)
        assert.deepEqual(await world.throughEdge(asked), await world.fromService(asked), asked);
    }
  await assertUnharmed('all queries');
});

/** A line of the menu that is asked for. */
const TEMPLATE = /Rock/;

test('nobody reads a template through the edge, or what it is told of callers', async () => {
  const target = '/edge/Browse.ashx?c=music&for=http://evil.example;32767;en;;;;';
  for (const path of [
    target,
    `/${target}`,
    target.replace('edge', '%65dge'),
    target.replace('/edge', '/longwave-template'),
  ]) {
    const { body, headers } = await world.throughEdge(path, { 'x-longwave-edge': 'evil' });
    assert.doesNotMatch(body, TEMPLATE, path);
    assert.equal(headers['x-longwave-caller'], undefined);
  }
  for (const path of MENUS)
    assert.equal((await world.throughEdge(path + OWN)).headers['x-longwave-caller'], undefined);
  const inFull = await sendRaw(
    world.edge.port,
    `GET http://x${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  assert.doesNotMatch(inFull, TEMPLATE);
});

const INNER = 'GET /Describe.ashx?c=smuggled HTTP/1.1\r\nHost: evil.example\r\n\r\n';
const CHUNKED = `0\r\n\r\n${INNER}`;
const start = (method: string, lines: readonly string[]): string =>
  [`${method} /Browse.ashx?c=music&${OWN} HTTP/1.1`, `Host: ${HOST}`, ...lines, '', ''].join('\r\n');

/** For an answer on a busy machine; a connection that stays open is waited for this long. */
const QUIET_MS = 2000;

/** Requests in which two servers could see different ends. */
const SMUGGLED: [name: string, bytes: string][] = [
  ['both lengths', start('POST', ['Content-Length: 5', 'Transfer-Encoding: chunked']) + CHUNKED],
  [
    'both, turned',
    start('POST', ['Transfer-Encoding: chunked', `Content-Length: ${CHUNKED.length}`]) + CHUNKED,
  ],
  ['two lengths', start('POST', ['Content-Length: 0', `Content-Length: ${INNER.length}`]) + INNER],
  ['a length with a sign', start('POST', [`Content-Length: +${INNER.length}`]) + INNER],
  ['a list of lengths', start('POST', [`Content-Length: 0, ${INNER.length}`]) + INNER],
  ['a space before the colon', start('POST', ['Content-Length: 5', 'Transfer-Encoding : chunked']) + CHUNKED],
  ['a folded header', start('POST', ['Content-Length: 5', 'X: y', ' Transfer-Encoding: chunked']) + CHUNKED],
  ['an unknown coding', start('POST', ['Transfer-Encoding: xchunked']) + CHUNKED],
  ['two codings', start('POST', ['Transfer-Encoding: identity, chunked']) + CHUNKED],
  ['a tab', start('POST', ['Content-Length: 5', 'Transfer-Encoding:\tchunked']) + CHUNKED],
  ['a bare CR', start('POST', ['Content-Length: 5', 'X: y\rTransfer-Encoding: chunked']) + CHUNKED],
  ['a NUL', start('POST', ['Content-Length: 5', 'Transfer-Encoding: chu\0nked']) + CHUNKED],
  ['a GET with a body', start('GET', [`Content-Length: ${INNER.length}`]) + INNER],
  [
    'a GET in chunks',
    start('GET', ['Transfer-Encoding: chunked']) + `${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk with a wrong length',
    start('POST', ['Transfer-Encoding: chunked']) + `FFFFFFFFFFFFFFFF1\r\n${INNER}`,
  ],
];

test('no request hides another one in it', async () => {
  for (const [name, bytes] of SMUGGLED) {
    const earlier = await smuggled();
    const answer = await sendRaw(world.edge.port, bytes, QUIET_MS);
    const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    // A body that both servers see is no attempt at anything.
    const expected = name.startsWith('a GET') ? ['200'] : ['400', '501'];
    assert.equal(statuses.length, 1, `${name}: ${statuses.join()}`);
    assert.ok(expected.includes(statuses[0] ?? ''), `${name}: ${statuses.join()}`);
    assert.equal(await smuggled(), earlier, name);
  }
  await assertUnharmed('all of them');
});

/** How often the directory was asked for what only a hidden request asks for. */
async function smuggled(): Promise<number> {
  const text = await (await fetch(`${world.service.privateOrigin}/metrics`)).text();
  const counts = text.matchAll(/^longwave_http_requests_total\{route="\/Describe\.ashx".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
