import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { buildDocs } from '../../../scripts/docs-site/build.ts';
import { docs } from '../../src/protocols/site/pages/docs.ts';
import { testApp } from '../apps/http-server.ts';

let folder: string;
let app: FastifyInstance;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'longwave-docs-'));
  buildDocs(folder);
  ({ app } = testApp([], { pageEndpoints: docs(folder) }));
});
after(() => rmSync(folder, { recursive: true }));

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const pages = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

test('pages are served with their policy, revalidated, and compressed where that is understood', async () => {
  const page = await get('/docs/configuration.html');
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /<h1 id="configuration">Configuration<\/h1>[^]*<code>DATABASE_URL<\/code>/);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page.headers['cache-control'], 'no-cache');
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
  assert.equal(
    (await get('/docs/configuration.html', { 'if-none-match': String(page.headers.etag) })).statusCode,
    304,
  );
  const packed = await get('/docs/configuration', { 'accept-encoding': 'gzip' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(packed.rawPayload).toString(), page.body);
  const [, script = ''] = /<script defer src="([^"]+)">/.exec(page.body) ?? [];
  assert.equal((await get(script)).headers['cache-control'], 'public, max-age=31536000, immutable');
});

test('the first page is the README, and what is not there is told', async () => {
  const moved = await get('/docs');
  assert.equal(moved.statusCode, 302);
  assert.equal(moved.headers.location, '/docs/');
  assert.match((await get('/docs/')).body, /An open radio directory/);
  assert.equal((await get('/docs/none.html')).statusCode, 404);
  assert.equal((await get('/docs/../package.json')).statusCode, 404);
  const { app: without } = testApp([], { pageEndpoints: docs(join(folder, 'none')) });
  const answer = await without.inject({ url: '/docs/' });
  assert.equal(answer.statusCode, 404);
  assert.match(answer.body, /npm run docs:site/);
});

test('every link, anchor and picture of every page leads somewhere', async () => {
  const anchors = new Map<string, Set<string>>();
  for (const page of pages()) {
    const ids = [...readFileSync(join(folder, page), 'utf8').matchAll(/ id="([^"]+)"/g)].map(
      ([, id = '']) => id,
    );
    anchors.set(`/docs/${page}`, new Set(ids));
  }
  assert.ok(anchors.size > 45, `${anchors.size} pages`);
  const lost: string[] = [];
  let links = 0;
  for (const page of pages()) {
    const html = readFileSync(join(folder, page), 'utf8');
    for (const [, address = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(address)) continue;
      links += 1;
      const [path = '', anchor] = address.split('#', 2);
      const target = path === '' ? `/docs/${page}` : path;
      if (target.endsWith('.html')) {
        const ids = anchors.get(target);
        if (!ids || (anchor !== undefined && !ids.has(decodeURIComponent(anchor))))
          lost.push(`${page}: ${address}`);
      } else if ((await get(target)).statusCode !== 200) lost.push(`${page}: ${address}`);
    }
  }
  assert.ok(links > 1000, `${links} links`);
  assert.deepEqual(lost, []);
});

test('the search finds sections by their words', async () => {
  const [, index = ''] = /data-index="([^"]+)"/.exec((await get('/docs/')).body) ?? [];
  const sections: { page: string; heading: string; url: string; text: string }[] = JSON.parse(
    (await get(index)).body,
  );
  const found = sections.filter(({ text }) => text.includes('MAX_IN_FLIGHT'));
  assert.ok(found.some(({ url }) => url === '/docs/operations.html#longwaveoverloaded'));
  assert.ok(sections.length > 200, `${sections.length} sections`);
});
