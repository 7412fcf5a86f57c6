import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { api } from '../../../src/app/api.ts';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import { LANGUAGES } from '../../../src/protocols/site/pages/reader.ts';
import { registerLine } from '../../../src/protocols/radiotime/account/register-line.ts';
import { menuReader } from '../../../src/protocols/radiotime/call/read-menu.ts';
import { site } from '../../../src/protocols/site/pages/site.ts';
import { buildSnapshot } from '../../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../../src/core/directory/snapshot/snapshot.ts';
import { Metrics } from '../../../src/net/http/metrics.ts';
import { type TestServer, startServer } from '../../apps/http-server.ts';
import { type TestDatabase, seededDatabase } from '../../database/database.ts';
import { ensureBuilt } from '../browser/built-site.ts';
import { fillSite } from '../browser/fill-site.ts';
import { type PageRead, assertData, readPage } from './read-page.ts';

// A search engine that runs no script: it begins with robots.txt, and reads what the sitemaps list.

const FOLDER = join(import.meta.dirname, '../../../../web/dist');
const SAMPLED = 100;
const SONG = { title: 'First <Light>', artist: 'The Example & Duo' };

describe('a crawler without scripts', () => {
  let database: TestDatabase;
  let snapshot: Snapshot;
  let server: TestServer;
  let addresses: string[];
  before(async () => {
    await ensureBuilt();
    database = await seededDatabase();
    const { pool } = database;
    await fillSite(pool);
    snapshot = await buildSnapshot(pool);
    const directory = { current: () => snapshot };
    const sources = { directory, db: pool, aliases: new Aliases(pool) };
    const endpoints = api({ ...sources, metrics: new Metrics() });
    server = await startServer(endpoints, {
      publicHosts: [],
      pageEndpoints: site({
        ...sources,
        read: menuReader(endpoints),
        songOf: (id) => (id === 1 ? SONG : undefined),
        folder: FOLDER,
        registerLine,
      }),
    });
    addresses = await crawlSitemaps(server.origin);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const ask = async (call: string): Promise<any> =>
    (await fetch(`${server.origin}${call}&render=json`)).json();
  const of = (kind: string): string[] => addresses.filter((address) => address.includes(kind));

  test('finds every listed station exactly once in the sitemaps, and nothing that is not listed', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM stations s WHERE listed AND merged_into IS NULL
         AND EXISTS (SELECT FROM streams WHERE station_id = s.id AND listed) ORDER BY id`,
    );
    const listed = rows.map(({ id }) => `${server.origin}/listen/station/s${id}`);
    assert.ok(listed.length > 60, `${listed.length} stations`);
    assert.deepEqual(of('/station/'), listed);
    assert.equal(new Set(addresses).size, addresses.length);
    const shows = await database.pool.query<{ id: string }>('SELECT id FROM shows WHERE listed ORDER BY id');
    assert.deepEqual(
      of('/show/'),
      shows.rows.map(({ id }) => `${server.origin}/listen/show/p${id}`),
    );
  });

  test('reads every fact of a hundred pages', async () => {
    const stations = of('/station/');
    const others = addresses.filter((address) => !address.includes('/station/'));
    const sampled = [`${server.origin}/listen/`, ...stations, ...others].slice(0, Math.max(SAMPLED, 0));
    const kinds = new Set<string>();
    for (const address of [...sampled, ...of('/show/'), ...of('id=g').slice(0, 20)]) {
      const page = await read(address);
      assert.equal(page.status, 200, address);
      assert.equal(page.canonical, address);
      assertData(page, address);
      const { pathname, searchParams } = new URL(address);
      const id = pathname.split('/')[3] ?? '';
      if (pathname.startsWith('/listen/station/')) await assertStation(page, id);
      else if (pathname.startsWith('/listen/show/')) await assertShow(page, id);
      else if (pathname === '/listen/browse') await assertMenu(page, searchParams);
      else await assertHome(page);
      kinds.add(pathname.split('/')[2] ?? '');
    }
    assert.ok(sampled.length === SAMPLED, `${sampled.length} pages`);
    assert.deepEqual([...kinds].toSorted(), ['', 'browse', 'show', 'station']);
  });

  async function assertStation(page: PageRead, id: string): Promise<void> {
    const [station] = (await ask(`/Describe.ashx?id=${id}`)).body;
    assert.equal(page.h1, tidy(station.name));
    assert.equal(page.title, `${tidy(station.name)} · Longwave`);
    for (const fact of ['location', 'frequency', 'language', 'genre_name', 'slogan', 'description'])
      if (station[fact] && station[fact] !== '0') page.says(station[fact], `${id}: ${fact}`);
    if (station.url) page.linksTo(new URL(station.url).href, id);
    if (station.genre_id) page.linksTo(`/listen/browse?id=${station.genre_id}`, id);
    if (station.region_id) page.linksTo(`/listen/browse?id=${station.region_id}`, id);
    const { body: streams } = await ask(`/Tune.ashx?id=${id}`);
    assert.ok(streams.length > 0, id);
    for (const { bitrate } of streams) if (Number(bitrate) > 0) page.says(`${bitrate} kbit/s`, id);
    const offset = station.tz_offset ?? 0;
    const { body: schedule } = await ask(`/Browse.ashx?c=schedule&id=${id}&offset=${offset}`);
    for (const { text, start } of schedule) page.says(`${String(start).slice(11, 16)} ${text}`, id);
    const { body: groups } = await ask(`/Browse.ashx?id=${id}`);
    for (const line of linesOf(groups)) page.says(line.text, `${id}: related`);
    if (id === 's1') page.says(`${SONG.artist} – ${SONG.title}`, 'the current song');
  }

  async function assertShow(page: PageRead, id: string): Promise<void> {
    const [show] = (await ask(`/Describe.ashx?id=${id}`)).body;
    assert.equal(page.h1, tidy(show.title));
    for (const fact of ['hosts', 'description', 'language', 'genre_name', 'location'])
      if (show[fact]) page.says(show[fact], `${id}: ${fact}`);
    const { body: topics } = await ask(`/Browse.ashx?c=topics&id=${id}`);
    for (const topic of linesOf(topics)) if (topic.guide_id?.startsWith('t')) page.says(topic.text, id);
    const { body: heard } = await ask(`/Tune.ashx?c=pbrowse&id=${id}`);
    for (const line of linesOf(heard))
      if (line.guide_id?.startsWith('s')) page.linksTo(`/listen/station/${line.guide_id}`, id);
  }

  async function assertMenu(page: PageRead, params: URLSearchParams): Promise<void> {
    const { head, body } = await ask(`/Browse.ashx?${params.toString()}`);
    assert.equal(page.h1, tidy(head.title));
    const lines = linesOf(body);
    assert.ok(lines.length > 0);
    for (const { text, key, guide_id: guideId } of lines) {
      if (key?.startsWith('next') !== true) page.says(text, params.toString());
      if (/^s\d+$/.test(guideId ?? '')) page.linksTo(`/listen/station/${guideId}`, params.toString());
      if (/^[rg]\d+$/.test(guideId ?? ''))
        assert.ok(
          page.links.some((link) => link.includes(guideId ?? '')),
          `${params.toString()}: ${guideId}`,
        );
    }
  }

  async function assertHome(page: PageRead): Promise<void> {
    const { body } = await ask('/Browse.ashx?c=popular');
    for (const { guide_id: guideId } of linesOf(body))
      if (/^s\d+$/.test(guideId ?? '')) page.linksTo(`/listen/station/${guideId}`, 'home');
    for (const way of ['c=music', 'c=talk', 'c=podcast', 'c=lang', 'id=r0'])
      page.linksTo(`/listen/browse?${way}`, 'home');
  }

  test('is told of every language, and gets each by its address whatever it accepts', async () => {
    const address = `${server.origin}/listen/station/s1`;
    const page = await read(address);
    assert.deepEqual(page.alternates, [
      ...LANGUAGES.map((lang) => [lang, `${address}?lang=${lang}`]),
      ['x-default', address],
    ]);
    for (const lang of LANGUAGES) {
      const other = await read(`${address}?lang=${lang}`, { 'accept-language': 'en' });
      assert.deepEqual([other.lang, other.canonical], [lang, `${address}?lang=${lang}`]);
      assert.deepEqual(other.alternates, page.alternates);
      assertData(other, lang);
      const [station] = (await ask(`/Describe.ashx?id=s1&locale=${lang}`)).body;
      other.says(station.genre_name, lang);
      other.says(station.language, lang);
      other.linksTo(`/listen/browse?id=${station.genre_id}&lang=${lang}`, lang);
    }
  });

  test('may frame the player of a station and no other page, and gets no cookie with it', async () => {
    const player = await fetch(`${server.origin}/embed/s1?theme=dark&lang=de`);
    const policy = player.headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors \*/);
    assert.match(policy, /default-src 'none'; script-src 'nonce-[^']+' 'strict-dynamic'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.deepEqual([player.headers.get('x-frame-options'), player.headers.get('set-cookie')], [null, null]);
    const text = await player.text();
    assert.match(text, /<html lang="de" data-theme="dark">/);
    assert.match(text, /<script type="module" src="\/listen\/assets\/embed-[^"]+\.js" nonce="/);
    for (const path of ['', 'station/s1', 'show/p101', 'browse?c=music', 'settings', 'no/such/page']) {
      const { headers } = await fetch(`${server.origin}/listen/${path}`);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
    }
  });

  test('is sent on from a station that was merged, and away from what is not listed', async () => {
    const { pool } = database;
    await pool.query('UPDATE stations SET listed = false, merged_into = 3 WHERE id = 2');
    await pool.query('UPDATE stations SET listed = false WHERE id = 4');
    snapshot = await buildSnapshot(pool);
    const merged = await fetch(`${server.origin}/listen/station/s2?lang=de`, { redirect: 'manual' });
    assert.deepEqual([merged.status, merged.headers.get('location')], [301, '/listen/station/s3?lang=de']);
    assert.equal((await fetch(`${server.origin}/embed/s2`)).url, `${server.origin}/embed/s3`);
    for (const path of [
      'listen/station/s4',
      'embed/s4',
      'listen/browse?id=r999999',
      'sitemaps/stations-99.xml',
    ])
      assert.equal((await fetch(`${server.origin}/${path}`)).status, 404, path);
    const now = await crawlSitemaps(server.origin);
    const gone = addresses.filter((address) => !now.includes(address) && address.includes('/station/'));
    assert.deepEqual(gone, [`${server.origin}/listen/station/s2`, `${server.origin}/listen/station/s4`]);
  });
});

const read = async (address: string, headers: Record<string, string> = {}): Promise<PageRead> => {
  const response = await fetch(address, { headers });
  return readPage(response.status, await response.text());
};

/** All addresses, as robots.txt leads to them; none may be one that it forbids. */
async function crawlSitemaps(origin: string): Promise<string[]> {
  const robots = await (await fetch(`${origin}/robots.txt`)).text();
  const index = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? assert.fail(robots);
  assert.equal(index, `${origin}/sitemap.xml`);
  const parts = locations(await (await fetch(index)).text());
  const found: string[] = [];
  for (const part of parts) {
    const response = await fetch(part);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    const listed = locations(await response.text());
    assert.ok(listed.length > 0 && listed.length <= 1000, `${part}: ${listed.length}`);
    found.push(...listed);
  }
  assert.ok(found.every((address) => address.startsWith(`${origin}/listen/`)));
  return found;
}

const locations = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));

const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

interface Line {
  text: string;
  key?: string;
  guide_id?: string;
  children?: Line[];
}

const linesOf = (body: readonly Line[]): Line[] =>
  body.flatMap((line) => (line.children ? linesOf(line.children) : [line]));
