import { registerLine } from '../../radiotime/account/register-line.ts';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { type SeededDirectory, seededDirectory } from '../../../../test/content/seeded-directory.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { parseNetwork } from '../../../net/http/caller/addresses.ts';
import { browseEndpoints } from '../../radiotime/browse/browse.ts';
import { menuReader } from '../../radiotime/call/read-menu.ts';
import { describe } from '../../radiotime/describe/describe.ts';
import { tune } from '../../radiotime/tune/tune.ts';
import { site, withoutSite } from './site.ts';

const PAGE = `<!doctype html><html lang="en"><head><title>Longwave</title><!--head-->
<script type="module" nonce="__NONCE__" src="/listen/assets/index-1a.js"></script></head>
<body><div id="root"><!--facts--></div></body></html>`;
const SCRIPT = 'console.log("longwave");'.repeat(100);
const HOSTILE = `</title><script>alert(1)</script>"'&\u2028`;

let seeded: SeededDirectory;
let folder: string;
let app: FastifyInstance;
let stationId = 0;

before(async () => {
  seeded = await seededDirectory();
  folder = mkdtempSync(join(tmpdir(), 'longwave-site-'));
  build('one');
  app = appOf();
  const [first] = seeded.directory.current().stations;
  stationId = first?.id ?? 0;
  await seeded.database.pool.query(
    `INSERT INTO shows (id, title, hosts, description, listed)
     VALUES (901, $1, $1, $1, true), (902, 'Hidden', NULL, NULL, false)`,
    [HOSTILE],
  );
});
after(async () => {
  rmSync(folder, { recursive: true });
  await seeded[Symbol.asyncDispose]();
});

function build(what: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const script = join(folder, 'assets', `index-${what}.js`);
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  writeFileSync(join(folder, 'sw.js'), '// worker');
  writeFileSync(join(folder, 'built'), what);
}

const appOf = (siteHost?: string, from = folder, registrationUrl?: string): FastifyInstance => {
  const { directory, database } = seeded;
  const sources = { directory, db: database.pool, aliases: new Aliases(database.pool) };
  return testApp([], {
    pageEndpoints: site({
      ...sources,
      read: menuReader([...browseEndpoints(sources), ...describe(sources), tune(sources)]),
      folder: from,
      siteHost,
      registrationUrl,
      registerLine,
    }),
    publicHosts: [],
    trustedProxies: [parseNetwork('127.0.0.1') ?? assert.fail()],
  }).app;
};

const get = (url: string, headers: Record<string, string> = {}, on = app) =>
  on.inject({ url, headers: { host: 'radio.test', ...headers } });

test('every page has a word of its own for scripts, in its policy and in its markup', async () => {
  const [first, second] = [await get('/listen/'), await get('/listen/presets')];
  const nonces = [first, second].map(({ body }) => /nonce="([^"]+)"/.exec(body)?.[1] ?? '');
  assert.notEqual(nonces[0], nonces[1]);
  for (const [index, { headers, statusCode }] of [first, second].entries()) {
    const policy = String(headers['content-security-policy']);
    assert.equal(statusCode, 200);
    assert.match(nonces[index] ?? '', /^[A-Za-z0-9+/]{22}==$/);
    assert.ok(policy.includes(`script-src 'nonce-${nonces[index]}' 'strict-dynamic';`));
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
    ])
      assert.ok(policy.includes(rule), rule);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.equal(headers['x-frame-options'], 'DENY');
  }
});

test('sound may come by plain HTTP only where the page did', async () => {
  const { headers } = await get('/listen/');
  assert.match(String(headers['content-security-policy']), /media-src 'self' blob: https: http:;/);
  const secure = await get('/listen/', { 'x-forwarded-proto': 'https' });
  const policy = String(secure.headers['content-security-policy']);
  assert.match(policy, /media-src 'self' blob: https:;/);
  assert.doesNotMatch(policy, /http:/);
});

test('files with a hash in their name are kept for a year, packed as the browser likes', async () => {
  const plain = await get('/listen/assets/index-one.js');
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(plain.body, SCRIPT);
  const packed = await get('/listen/assets/index-one.js', { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.equal(packed.headers['vary'], 'Accept-Encoding');
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), SCRIPT);
  const refused = await get('/listen/assets/index-one.js', { 'accept-encoding': 'br;q=0, gzip' });
  assert.equal(refused.headers['content-encoding'], 'gzip');
  const etag = String(packed.headers['etag']);
  const again = await get('/listen/assets/index-one.js', { 'accept-encoding': 'br', 'if-none-match': etag });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  assert.notEqual(etag, plain.headers['etag']);
});

test('a page is packed where the browser takes it', async () => {
  const packed = await get('/listen/', { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.match(String(packed.headers['vary']), /Accept-Encoding/);
  assert.equal(Number(packed.headers['content-length']), packed.rawPayload.length);
  assert.match(gunzipSync(packed.rawPayload).toString(), /^<!doctype html>/);
  const plain = await get('/listen/', { 'accept-encoding': 'gzip;q=0' });
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.match(plain.body, /^<!doctype html>/);
});

test('the worker is asked for anew each time, and may ask for nothing but the site', async () => {
  const { headers } = await get('/listen/sw.js');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal(headers['content-security-policy'], "default-src 'none'; connect-src 'self'");
});

test('nothing outside of the build is given away', async () => {
  const paths = ['/listen/../package.json', '/listen/%2e%2e/package.json', '/listen/assets/../../etc/passwd'];
  for (const path of [...paths, '/listen/assets/none.js', '/listen/index.html', '/listen/built']) {
    const { statusCode, body } = await get(path);
    assert.equal(statusCode, 404, path);
    assert.doesNotMatch(body, /"private"|root:/);
  }
});

/** What the page is about, of all that its data says. */
const dataIn = (body: string): any =>
  JSON.parse(/ld\+json"[^>]*>(.*?)<\/script>/s.exec(body)?.[1] ?? '{}')['@graph']?.[0];

test('a station has its name, its place and its data in the head', async () => {
  const station = seeded.directory.current().stationById.get(stationId) ?? assert.fail();
  const { body, statusCode } = await get(`/listen/station/s${stationId}`);
  assert.equal(statusCode, 200);
  assert.ok(body.includes(`<title>${station.name} · Longwave</title>`));
  assert.ok(body.includes(`Listen to ${station.name} live from ${station.placeName}.`));
  assert.ok(body.includes(`<link rel="canonical" href="http://radio.test/listen/station/s${stationId}" />`));
  const data = dataIn(body);
  assert.deepEqual([data['@type'], data.name], ['RadioStation', station.name]);
});

test('the head speaks the language of the reader', async () => {
  const { body } = await get(`/listen/station/s${stationId}`, { 'accept-language': 'de-AT,en;q=0.5' });
  assert.match(body, /<html lang="de"/);
  assert.match(body, /live hören\./);
});

test('what a feed calls itself stays text', async () => {
  const { body, statusCode } = await get('/listen/show/p901');
  assert.equal(statusCode, 200);
  assert.equal(body.match(/<script/g)?.length, 2, 'the data and the program');
  assert.ok(body.includes('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
  assert.equal(dataIn(body).name, HOSTILE);
});

test('what is not there says so with its status, and still shows the site', async () => {
  for (const path of ['/listen/station/s999999', '/listen/show/p902', '/listen/show/p5', '/listen/nothing']) {
    const { statusCode, body } = await get(path);
    assert.equal(statusCode, 404, path);
    assert.match(body, /index-1a\.js/);
  }
});

test('without a build the page teaches how to have one', async () => {
  const later = mkdtempSync(join(tmpdir(), 'longwave-site-'));
  const empty = appOf(undefined, later);
  const missing = await get('/listen/', {}, empty);
  assert.equal(missing.statusCode, 501);
  assert.match(missing.body, /npm run build -w web/);
  assert.match(String(missing.headers['content-security-policy']), /default-src 'none'/);
  rmSync(later, { recursive: true });
});

test('a host of its own draws every page to it, and promises HTTPS', async () => {
  const own = appOf('listen.test');
  const elsewhere = await get('/listen/search?q=jazz', {}, own);
  assert.deepEqual(
    [elsewhere.statusCode, elsewhere.headers.location],
    [302, 'http://listen.test/listen/search?q=jazz'],
  );
  const there = await get(`/listen/station/s${stationId}`, { host: 'listen.test' }, own);
  assert.equal(there.statusCode, 200);
  assert.match(there.body, /http:\/\/listen\.test\/listen\/station/);
  assert.equal(there.headers['strict-transport-security'], undefined, 'not by plain HTTP');
  const secure = await get('/listen/', { host: 'listen.test', 'x-forwarded-proto': 'https' }, own);
  assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000');
});

test('the address without its stroke leads to the site, and robots are told where to go', async () => {
  assert.equal((await get('/listen?x=1')).headers.location, '/listen/?x=1');
  assert.match(
    (await get('/robots.txt')).body,
    /Allow: \/listen\/\n[^]*Allow: \/logos\/\n[^]*Disallow: \/listen\/api\/\n[^]*Disallow: \/\n\nSitemap: http:\/\/radio.test\/sitemap.xml/,
  );
});

test('HEAD is answered without a body', async () => {
  const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url: '/listen/' });
  assert.deepEqual([statusCode, body], [200, '']);
  assert.ok(Number(headers['content-length']) > 100);
});

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const LINE = 'Create an account at http://radio.test/listen/register, then enter its name on this device';

test('people get the page to register at, and programs that follow the index a line they can read', async () => {
  const page = await get('/listen/register?partnerId=15', BROWSER);
  assert.match(page.body, /^<!doctype html>/);
  assert.equal(page.headers.vary, 'Accept, Accept-Encoding');
  for (const accept of ['*/*', 'application/json', '']) {
    const { headers, body, statusCode } = await get('/listen/register?partnerId=15', { accept });
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/xml; charset=utf-8']);
    assert.equal(headers.vary, 'Accept, Accept-Encoding');
    assert.match(body, /<status>200<\/status>/);
    assert.ok(body.includes(`<outline type="text" text="${LINE}"/>`), body);
  }
});

test('the line is JSON for who asks for it, in the language of the call', async () => {
  const url = '/Listen/Register/?render=json&locale=de';
  const { headers, body } = await get(url);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  const { head, body: lines } = JSON.parse(body);
  assert.equal(head.status, '200');
  assert.match(lines[0].text, /^Konto anlegen unter http:\/\/radio\.test\/listen\/register,/);
  const script = await get(`${url}&callback=a.b`);
  assert.match(script.body, /^a\.b\(\{"head":/);
  assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin');
});

test('the line names the host of the site, or the page that the operator has elsewhere', async () => {
  const own = await get('/listen/register', {}, appOf('listen.test'));
  assert.match(own.body, /at http:\/\/listen\.test\/listen\/register,/);
  const elsewhere = appOf(undefined, folder, 'https://club.test/join');
  assert.match((await get('/listen/register', {}, elsewhere)).body, /at https:\/\/club\.test\/join,/);
  const sent = await get('/listen/register', BROWSER, elsewhere);
  assert.deepEqual([sent.statusCode, sent.headers.location], [302, 'https://club.test/join']);
});

const off = (registrationUrl?: string): FastifyInstance =>
  testApp([], { pageEndpoints: withoutSite(registrationUrl, registerLine) }).app;

test('without a site programs are still told, and browsers sent on where there is a page', async () => {
  assert.match((await get('/listen/register?', {}, off())).body, /text="Enter the name of your account/);
  const elsewhere = off('https://club.test/join');
  assert.match((await get('/listen/register?', {}, elsewhere)).body, /at https:\/\/club\.test\/join,/);
  assert.equal((await get('/listen/register?', BROWSER, elsewhere)).statusCode, 302);
});
