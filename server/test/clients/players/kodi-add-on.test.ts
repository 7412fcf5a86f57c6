import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { api } from '../../../src/app/api.ts';
import { listPartners } from '../../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import { ask, type BrowseApp, browseApp, linksOf } from '../../apps/browse-app.ts';
import { testApp } from '../../apps/http-server.ts';

// The radio add-on of Kodi (plugin.audio.tuneinradio) follows no link: it asks anew, with what it kept of one.

let browse: BrowseApp;
let app: FastifyInstance;
before(async () => {
  browse = await browseApp();
  const { database, snapshot, clock } = browse;
  const partners = new Map((await listPartners(database.pool)).map((row) => [row.id, row]));
  const directory = { current: () => snapshot };
  const endpoints = api({ directory, db: database.pool, aliases: new Aliases(database.pool), clock });
  app = testApp(endpoints, { clock, findPartner: (id) => partners.get(id) }).app;
});
after(async () => {
  await app.close();
  await browse[Symbol.asyncDispose]();
});

/** What it asks for when a line is chosen: of a show, whatever its link leads to, it asks Tune. */
function choose(link: string): Promise<string> {
  const params = new URL(link, 'http://radio.test').searchParams;
  const id = params.get('id') ?? '';
  const isShow = /^p\d+$/.test(id);
  const names = isShow ? ['id', 'c', 'filter'] : [id === '' ? 'c' : 'id', 'filter', 'offset', 'pivot'];
  const kept = [...params].filter(([name]) => names.includes(name));
  const own = { partnerId: 'maker', locale: 'en-GB', ...(!isShow && id !== '' && { username: 'ann' }) };
  const asked = new URLSearchParams([...Object.entries(own), ...kept]).toString();
  return ask(app, `/${isShow ? 'Tune' : 'Browse'}.ashx?${asked}`);
}

const topicsOf = (body: string): string[] =>
  [...body.matchAll(/text="(Topic \d+)"/g)].map(([, text = '']) => text);

test('all topics of a show are there, page by page to the last', async () => {
  const menu = await choose('/Tune.ashx?c=pbrowse&id=p101');
  const first = await choose(linksOf(menu).at(-1) ?? '');
  assert.match(first, /<outline text="[^"]+" key="topics">/);
  const second = await choose(linksOf(first).at(-1) ?? '');
  assert.deepEqual(
    [...topicsOf(first), ...topicsOf(second)],
    Array.from({ length: 60 }, (_none, n) => `Topic ${60 - n}`),
  );
  assert.doesNotMatch(second, /nextTopics/);
});

test('each folder of presets opens where there are several', async () => {
  const folders = linksOf(await ask(app, '/Browse.ashx?c=presets&partnerId=maker&username=ann'));
  const opened = await Promise.all(folders.map(choose));
  const items = opened.map((body) => [...body.matchAll(/ preset_id="(\w+)"/g)].map(([, id]) => id));
  assert.deepEqual(items, [['s1', 'p101', 'u3079'], ['s999999'], []]);
  assert.deepEqual(
    opened.map((body) => /<title>(.*)<\/title>/.exec(body)?.[1]),
    ['General', 'Küche &amp; Bad', 'Empty one'],
  );
});
