import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { api } from '../../src/app/api.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { ListedSongs } from '../../src/core/now-playing/listed-songs.ts';
import { type AirApp, airApp } from '../apps/broadcasters-app.ts';
import { ask } from '../apps/browse-app.ts';
import { testApp } from '../apps/http-server.ts';
import { addShow } from '../database/catalogue/add-show.ts';

/** The whole service in this process, by a clock of its own. */
let air: AirApp;
let listedSongs: ListedSongs;
let app: FastifyInstance;
let id: string;
let showId: number;
before(async () => {
  air = await airApp();
  mock.timers.enable({ apis: ['setInterval'] });
  const { clock, board } = air;
  const { directory, database } = air.seeded;
  const { pool } = database;
  id = `s${air.station.id}`;
  showId = (await addShow(pool, { title: 'Quay Hour' })) ?? assert.fail();
  await pool.query(
    `INSERT INTO broadcasts (station_id, show_id, starts_at, ends_at)
     VALUES ($1, $2, '2026-05-01T11:00Z', '2026-05-01T14:00Z')`,
    [air.station.id, showId],
  );
  listedSongs = new ListedSongs({ playing: board, directory });
  const deps = { directory, db: pool, aliases: new Aliases(pool), clock };
  app = testApp(api({ ...deps, playing: board, listedSongs, air: air.air, logoCacheBytes: 0 }), {
    clock,
  }).app;
});
after(async () => {
  mock.timers.reset();
  await app.close();
  await listedSongs[Symbol.asyncDispose]();
  await air[Symbol.asyncDispose]();
});

const get = (url: string): Promise<string> => ask(app, url);

function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    air.clock.advance({ seconds: 1 });
    mock.timers.tick(1000);
  }
}

async function push(song: Record<string, string>): Promise<void> {
  const form = new URLSearchParams({ partnerKey: air.key, id, ...song });
  assert.match(await get(`/Playing.ashx?${form.toString()}`), /<status>200</);
}

type Line = Record<string, string> & { children?: Line[] };
const flat = (lines: readonly Line[]): Line[] =>
  lines.flatMap((line) => [line, ...flat(line.children ?? [])]);

/** What the line of the station says in a menu, which is the same in each notation. */
async function told(url: string): Promise<[subtext: string | undefined, playing: string | undefined]> {
  const json = await get(`${url}&render=json`);
  const script = await get(`${url}&render=json&callback=heard`);
  assert.equal(script, `heard(${json});`);
  const menu: { body: Line[] } = JSON.parse(json);
  const line = flat(menu.body).find((one) => one['guide_id'] === id) ?? assert.fail(`${id} is not in ${url}`);
  const outline = (await get(url)).split('\n').find((text) => text.includes(` guide_id="${id}"`)) ?? '';
  for (const name of ['subtext', 'playing'])
    assert.equal(new RegExp(` ${name}="([^"]*)"`).exec(outline)?.[1], line[name], `${name} in XML`);
  return [line['subtext'], line['playing']];
}

/** Every list that the station stands in, whichever endpoint makes it. */
async function lists(): Promise<string[]> {
  const { stations } = air.seeded.directory.current();
  const describing = stations.map((one) => `/Describe.ashx?id=s${one.id}&detail=recommendation`);
  const bodies = await Promise.all(describing.map(async (url) => [url, await get(url)] as const));
  const [similar] = bodies.find(([, body]) => body.includes(` guide_id="${id}"`)) ?? assert.fail('like none');
  return [
    `/Browse.ashx?id=g${air.station.genreId}`,
    `/Browse.ashx?id=r${air.station.regionId}`,
    `/Search.ashx?query=${encodeURIComponent(air.station.name)}`,
    `/Tune.ashx?c=pbrowse&id=p${showId}`,
    similar,
  ];
}

test('a song that is pushed stands in every list until its life is over, and no longer than half a minute more', async () => {
  const urls = await lists();
  const songsIn = (): Promise<(string | undefined)[][]> => Promise.all(urls.map(told));
  const unheard = await songsIn();
  assert.ok(unheard.every(([subtext, playing]) => subtext !== undefined && playing === undefined));
  await push({ artist: 'Ann Shore', title: 'Quay Song' });
  for (const line of await songsIn())
    assert.deepEqual(line, ['Ann Shore - Quay Song', 'Ann Shore - Quay Song']);
  pass(60);
  await push({ artist: 'Ann Shore', title: 'Ebb' });
  await push({ artist: 'Ann Shore', title: 'Flood' });
  pass(30);
  for (const [, playing] of await songsIn()) assert.equal(playing, 'Ann Shore - Flood');
  pass(569);
  for (const [, playing] of await songsIn()) assert.equal(playing, 'Ann Shore - Flood');
  pass(31);
  assert.deepEqual(await songsIn(), unheard);
});

test('a commercial takes the song out of lists within half a minute', async () => {
  const [genre = ''] = await lists();
  await push({ title: 'Before the break' });
  pass(30);
  assert.equal((await told(genre))[1], 'Before the break');
  await push({ commercial: 'true' });
  pass(30);
  assert.equal((await told(genre))[1], undefined);
});
