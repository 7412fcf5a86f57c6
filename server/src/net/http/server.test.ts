import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { testApp } from '../../../test/apps/http-server.ts';
import { Fault, Refusal } from '../../lib/fault.ts';
import type { Action, Answer, Endpoint } from '../../protocols/radiotime/call/endpoint.ts';

const echo: Action = ({ params, caller, path, render }) => ({
  title: 'Echo',
  outlines: [
    {
      text: JSON.stringify({ id: params.text('id'), password: params.has('password'), path, render }),
      type: 'link',
      target: { path: '/Browse.ashx', params: [['c', 'local']] },
      key: caller.locale,
    },
  ],
});
const answers =
  (answer: Answer): Action =>
  () =>
    answer;
const fails =
  (error: Error): Action =>
  () => {
    throw error;
  };
const long = {
  title: 'Long',
  outlines: Array.from({ length: 99 }, (_, n) => ({ type: 'text' as const, text: `${n} é` })),
};

const unwritable = {
  outlines: [],
  get title(): string {
    throw new Error('cannot be written');
  },
};

const pages: Endpoint = {
  paths: ['/Browse.ashx', '/', '/Index.aspx'],
  actions: new Map<string, Action>([
    ['', echo],
    ['late', async (call) => (await sleep(5), echo(call))],
    ['never', () => new Promise(() => undefined)],
    ['menu', () => ({ menu: 'long', document: () => long, maxAgeSeconds: 30 })],
    ['for-all', () => ({ menu: 'long', document: () => long, maxAgeSeconds: 30, isForAll: true })],
    ['playlist', answers({ playlist: ['http://a/1', 'http://a/2'], contentType: 'audio/x-mpegurl' })],
    ['bytes', answers({ bytes: Buffer.from('png'), contentType: 'image/png', maxAgeSeconds: 60 })],
    ['site', answers({ redirect: '/listen/' })],
    ['presets', answers({ outlines: [], noStore: true })],
    ['fault', fails(new Fault(400, 'id', 'Invalid category'))],
    ['away', fails(new Fault(503, 'service.unavailable', 'Accounts cannot be read now'))],
    ['limited', fails(new Refusal(429, 'request.limit', 'Too many calls', 17))],
    ['bug', fails(new TypeError('reading properties of undefined'))],
    ['asyncbug', async () => Promise.reject(new TypeError('later'))],
    ['unwritable', answers(unwritable)],
  ]),
  fallback: ({ params }) => (params.text('c')?.startsWith('index,') ? echo : undefined),
};
const { app, logLines } = testApp([pages]);
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

for (const url of [
  '/Browse.ashx',
  '/browse.ashx',
  '/BROWSE.ASHX',
  '/',
  '/Index.aspx',
  '/index.aspx?',
  '//Browse.ashx',
  '/?&',
]) {
  test(`${url} is the page, and actions see its first name`, async () => {
    const reply = await get(url);
    assert.equal(reply.statusCode, 200);
    assert.match(reply.body, /<title>Echo<\/title>/);
    assert.match(reply.body, /\/Browse\.ashx&quot;/);
  });
}

test('XML unless render=json, whatever Accept says', async () => {
  const xml = await get('/Browse.ashx', { accept: 'application/json' });
  assert.equal(xml.headers['content-type'], 'text/xml; charset=utf-8');
  assert.match(xml.body, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<opml version="1">/);
  for (const render of ['json', 'JSON']) {
    const json = await get(`/Browse.ashx?render=${render}`, { accept: 'text/xml' });
    assert.equal(json.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(json.json().head.status, '200');
  }
});

test('a page of any site may read the answer; who is no page is told nothing of that', async () => {
  const asked = await get('/Browse.ashx', { origin: 'https://site.example' });
  assert.equal(asked.headers['access-control-allow-origin'], '*');
  assert.equal((await get('/Browse.ashx')).headers['access-control-allow-origin'], undefined);
});

test('a callback wraps JSON for scripts; a name that could be more than a name does not', async () => {
  const reply = await get('/?render=json&callback=RadioTime._loader.requests.r1.init');
  assert.equal(reply.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.match(reply.body, /^RadioTime\._loader\.requests\.r1\.init\(\{.*\}\);$/s);
  const menu = await get('/?render=json&c=menu&callback=f');
  assert.match(menu.body, /^f\(\{.*\}\);$/s);
  const refused = await get('/?render=json&callback=alert(1)//');
  assert.equal(refused.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(refused.json().head.fault_code, 'request.invalid');
  assert.doesNotMatch(refused.body, /alert/);
  assert.match((await get('/?callback=f')).body, /^<\?xml/);
});

test('query and form are merged, for every way of naming the type', async () => {
  const types = [
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded',
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded\t;charset=utf-8',
  ];
  for (const type of types) {
    const reply = await app.inject({
      method: 'POST',
      url: '/Browse.ashx?id=s1',
      headers: { 'content-type': type },
      payload: 'password=x',
    });
    assert.match(reply.body, /&quot;id&quot;:&quot;s1&quot;,&quot;password&quot;:true/, type);
  }
});

test('a body that is no form is told so; no body at all is fine under any type', async () => {
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'x', '']) {
    const headers = type === '' ? {} : { 'content-type': type };
    const reply = await app.inject({
      method: 'POST',
      url: '/Browse.ashx?render=json',
      headers,
      payload: '{"password":"x"}',
    });
    assert.equal(reply.statusCode, 200, type);
    assert.match(reply.json().head.fault, /application\/x-www-form-urlencoded/, type);
  }
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    const reply = await app.inject({ method: 'POST', url: '/Browse.ashx?id=s1', headers });
    assert.match(reply.body, /<status>200</);
  }
});

test('a form over the limit is refused', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await app.inject({
    method: 'POST',
    url: '/?render=json',
    headers,
    payload: `text=${'a'.repeat(32_768)}`,
  });
  assert.match(reply.json().head.fault, /larger than 32768 bytes/);
});

test('HEAD has the headers of GET and no body', async () => {
  for (const url of ['/Browse.ashx', '/?c=menu', '/?c=fault', '/?c=late']) {
    const head = await app.inject({ method: 'HEAD', url });
    const full = await get(url);
    assert.equal(head.statusCode, 200);
    assert.equal(head.headers['content-length'], full.headers['content-length']);
  }
});

const faults: [url: string, status: string, code: string | undefined, fault: RegExp][] = [
  ['/?c=fault', '400', 'id', /^Invalid category$/],
  ['/?c=nonsense', '404', 'api.methodNotFound', /^Invalid method$/],
  ['/?c=constructor', '404', 'api.methodNotFound', /^Invalid method$/],
  ['/?c=__proto__', '404', 'api.methodNotFound', /^Invalid method$/],
  ['/?c=toString', '404', 'api.methodNotFound', /^Invalid method$/],
  ['/Nothing.ashx?x=1', '404', 'api.methodNotFound', /^Invalid method$/],
  ['/deep/Nothing.ASPX?', '404', 'api.methodNotFound', /^Invalid method$/],
  ['/?id=s1&id=s2', '400', 'request.invalid', /twice/],
  ['/?id=s1%00', '400', 'request.invalid', /control characters/],
  ['/?latlon=here', '400', 'request.invalid', /'latlon' is malformed/],
  ['/?c=bug', '500', undefined, /^Internal error; the operator can find it in the log as [0-9a-f]{8}-\w+$/],
  ['/?c=asyncbug', '500', undefined, /^Internal error/],
  ['/?c=unwritable', '500', undefined, /^Internal error/],
];
for (const [url, status, code, fault] of faults) {
  test(`${url} is fault ${status} with HTTP 200, in XML and JSON`, async () => {
    const json = await get(`${url}&render=json`);
    assert.equal(json.statusCode, 200);
    assert.deepEqual(json.json().body, []);
    const { head } = json.json();
    assert.equal(head.status, status);
    assert.equal(head.fault_code, code);
    assert.match(head.fault, fault);
    assert.equal(json.headers['cache-control'], 'private, no-cache, no-store');
    const xml = await get(url);
    assert.equal(xml.statusCode, 200);
    assert.match(xml.body, new RegExp(`<status>${status}</status>`));
  });
}

test('the log has an unexpected error under the id the caller was told', async () => {
  const { head } = (await get('/?c=bug&render=json')).json();
  const id = head.fault.split(' ').at(-1);
  const line = logLines
    .map((text) => JSON.parse(text))
    .find(({ reqId, level }) => reqId === id && level === 'error');
  assert.equal(line.err.message, 'reading properties of undefined');
  assert.match(line.err.stack, /server\.test\.ts/);
});

test('any other path is a plain 404 that repeats nothing of the request', async () => {
  for (const url of [
    '/favicon.ico',
    '/admin<script>',
    '/metrics',
    '/Browse',
    '/x?file=.ashx',
    '/nothing.php?CANARY',
  ]) {
    const reply = await get(url);
    assert.equal(reply.statusCode, 404, url);
    assert.equal(reply.body, 'Not found\n');
  }
  const posted = await app.inject({
    method: 'POST',
    url: '/x',
    headers: { 'content-type': 'application/json' },
    payload: '{"CANARY"',
  });
  assert.equal(posted.statusCode, 404);
});

test('methods that the protocol does not have are an invalid method', async () => {
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const) {
    const reply = await app.inject({ method, url: '/Browse.ashx' });
    assert.match(reply.body, /api\.methodNotFound/, method);
  }
});

test('a broken address is refused without repeating it', async () => {
  const reply = await get('/%zzCANARY.ashx?x');
  assert.equal(reply.statusCode, 400);
  assert.equal(reply.body, 'Bad request\n');
});

test('only refusals have an HTTP status of their own, with Retry-After and a document', async () => {
  const limited = await get('/?c=limited&render=json');
  assert.equal(limited.statusCode, 429);
  assert.equal(limited.headers['retry-after'], '17');
  assert.equal(limited.json().head.status, '429');
  const away = await get('/?c=away');
  assert.equal(away.statusCode, 200, 'a fault is an answer, and radios drop the body of any other status');
  assert.equal(away.headers['retry-after'], undefined);
  assert.match(away.body, /<status>503<.*<fault_code>service\.unavailable</s);
});

test('a call that takes too long is refused', async () => {
  const slow = testApp([pages], { callTimeoutMs: 20 });
  const reply = await slow.app.inject('/?c=never');
  assert.equal(reply.statusCode, 503);
  assert.match(reply.body, /request\.timeout/);
  assert.match((await slow.app.inject('/?c=late')).body, /<status>200/);
});

test('calls can be turned away before their action', async () => {
  const guarded = testApp([pages], {
    rateLimit: (address) => {
      if (address === '192.0.2.66') throw new Fault(403, 'partner.invalid', 'This address may not call');
    },
  });
  const from = async (remoteAddress: string): Promise<string> =>
    (await guarded.app.inject({ url: '/', remoteAddress })).body;
  assert.match(await from('192.0.2.66'), /partner\.invalid/);
  assert.match(await from('192.0.2.67'), /<status>200/);
});

test('every answer is inert in a browser and says how long it may be kept', async () => {
  const kept: [url: string, cacheControl: string][] = [
    ['/', 'private'],
    ['/?c=menu', 'private, max-age=30'],
    ['/?c=presets', 'private, no-cache, no-store'],
    ['/?c=menu&password=x', 'private, no-cache, no-store'],
    ['/favicon.ico', 'private, no-cache, no-store'],
  ];
  for (const [url, cacheControl] of kept) {
    const { headers } = await get(url);
    assert.equal(headers['cache-control'], cacheControl, url);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox");
  }
});

test('a playlist is bare lines of a bare type', async () => {
  const reply = await get('/?c=playlist', { range: 'bytes=0-', 'accept-encoding': 'gzip' });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'audio/x-mpegurl');
  assert.equal(reply.body, 'http://a/1\nhttp://a/2\n');
});

test('bytes and redirects', async () => {
  const bytes = await get('/?c=bytes');
  assert.equal(bytes.headers['content-type'], 'image/png');
  assert.equal(bytes.body, 'png');
  const site = await get('/?c=site');
  assert.equal(site.statusCode, 302);
  assert.equal(site.headers.location, '/listen/');
  assert.equal(site.headers['referrer-policy'], 'no-referrer');
});

test('gzip when asked for and worth it', async () => {
  const plain = await get('/?c=menu');
  assert.equal(plain.headers['content-encoding'], undefined);
  const packed = await get('/?c=menu', { 'accept-encoding': 'gzip, deflate' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers['vary'], 'Accept-Encoding');
  assert.equal(plain.headers['vary'], undefined, 'nobody may keep it for somebody else');
  const forAll = await get('/?c=for-all');
  assert.equal(forAll.headers['vary'], 'Accept-Encoding');
  assert.match(forAll.headers['cache-control'] ?? '', /^public/);
  assert.equal(packed.headers['content-length'], String(packed.rawPayload.length));
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body);
  assert.equal((await get('/', { 'accept-encoding': 'gzip' })).headers['content-encoding'], undefined);
});

test('links carry the globals of the caller and the host of the operator', async () => {
  const { body } = await get('/?partnerId=demo&formats=mp3,aac&render=json&password=CANARY&username=ann', {
    host: 'evil.example',
  });
  const [{ URL: address }] = JSON.parse(body).body;
  assert.equal(address, 'http://radio.test/Browse.ashx?c=local&formats=mp3,aac&partnerId=demo&username=ann');
});

test('a number beyond every column is just text here', async () => {
  assert.match((await get('/?id=s99999999999999999999')).body, /s99999999999999999999/);
});

test('fallbacks take what the table does not have', async () => {
  assert.match((await get('/?c=index,best')).body, /<status>200/);
});

test('metrics count by names of ours only', async () => {
  const counted = testApp([pages]);
  for (const url of ['/?c=LATE', '/?c=invented1', '/?c=invented2', '/Nothing.ashx', '/index.aspx'])
    await counted.app.inject(url);
  const text = await counted.options.metrics.registry.metrics();
  assert.match(
    text,
    /http_requests_total\{route="\/Browse\.ashx",c="late",status="200",opml_status="200"\} 1/,
  );
  assert.match(
    text,
    /http_requests_total\{route="\/Browse\.ashx",c="other",status="200",opml_status="404"\} 2/,
  );
  assert.match(text, /http_requests_total\{route="other",c="other",status="200",opml_status="404"\} 1/);
  assert.match(text, /http_request_duration_seconds_count\{route="\/Browse\.ashx"\} 4/);
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/);
  assert.doesNotMatch(text, /invented/);
});

test('a refusal that is held back comes late, and nobody else waits for it', async () => {
  const busy = new Refusal(503, 'request.overloaded', 'Busy', 2, 2000);
  const held: Endpoint = { paths: ['/Held.ashx'], actions: new Map([['', () => Promise.reject(busy)]]) };
  const { app: small } = testApp([held, pages], { maxInFlight: 1 });
  const started = performance.now();
  let isTold = false;
  const refused = small.inject({ url: '/Held.ashx' }).finally(() => (isTold = true));
  await sleep(50);
  assert.equal((await small.inject({ url: '/Browse.ashx?c=late' })).statusCode, 200);
  assert.equal(isTold, false, 'the other was not slower for it');
  assert.equal((await refused).statusCode, 503);
  assert.equal((await refused).headers['retry-after'], '2');
  assert.ok(performance.now() - started >= 1999);
  await small.close();
});
