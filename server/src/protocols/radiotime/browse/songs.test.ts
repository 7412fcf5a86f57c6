import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type BrowseApp, ask, browseApp } from '../../../../test/apps/browse-app.ts';
import { ListedSongs } from '../../../core/now-playing/listed-songs.ts';
import { MemoryStore } from '../../../core/now-playing/memory-store.ts';
import { PlayingBoard } from '../../../core/now-playing/playing-board.ts';
import type { Song } from '../../../core/now-playing/song.ts';

let browse: BrowseApp;
let store: MemoryStore;
let playing: PlayingBoard;
let listed: ListedSongs;
/** Its hot menus are kept. */
let app: FastifyInstance;
before(async () => {
  browse = await browseApp();
  const { clock, snapshot } = browse;
  store = new MemoryStore({ clock });
  playing = new PlayingBoard({ store, clock });
  listed = new ListedSongs({
    playing,
    directory: { current: () => snapshot, onSwap: () => () => undefined },
  });
  app = browse.with({ listedSongs: listed });
});
after(async () => {
  await listed[Symbol.asyncDispose]();
  await playing[Symbol.asyncDispose]();
  await browse[Symbol.asyncDispose]();
});

async function play(stationId: number, song: Partial<Song> | 'nothing'): Promise<void> {
  const heardAt = browse.clock.now().epochMilliseconds;
  const heard = { title: 'Song', source: 'icy', startedAt: heardAt, heardAt } as const;
  await store.publish([
    { stationId, heard: song === 'nothing' ? song : { ...heard, ...song }, dueInMs: 1000 },
  ]);
  await listed.turn();
}
beforeEach(async () => {
  for (const { id } of browse.snapshot.stations) await play(id, 'nothing');
});

const get = (params: string): Promise<string> => ask(app, `/Browse.ashx?${params}`);
const lineOf = (body: string, id: string): string =>
  body.split('\n').find((line) => line.includes(` guide_id="${id}"`)) ?? assert.fail(`${id} is not there`);
const said = (line: string): (string | undefined)[] =>
  ['subtext', 'playing', 'show_id', 'current_track'].map(
    (name) => new RegExp(` ${name}="([^"]*)"`).exec(line)?.[1],
  );

/** Each kind of list in which s1 stands. */
const LISTS = {
  'local radio': 'c=local&latlon=51.9,-8.5',
  'a genre': 'id=g1310',
  'a genre with stations near': 'id=g1310&latlon=51.9,-8.5',
  'a page of a genre': 'id=g1310&filter=s',
  'the popular ones': 'c=popular&formats=aac',
  'the trending ones': 'c=trending&formats=aac',
  'the best ones': 'c=best&formats=aac',
  'several at once': 'c=index,best&formats=aac',
  'a network': 'id=a1',
  presets: 'c=presets&partnerId=maker&username=ann&title=General&guide_id=f1031',
};
for (const [name, params] of Object.entries(LISTS)) {
  test(`${name}: a station's line tells its song, and the show it is played in`, async () => {
    await play(1, { artist: 'The Duo', title: 'First Light' });
    const body = await get(params);
    const line = lineOf(body, 's1');
    assert.deepEqual(said(line), ['The Duo - First Light', 'The Duo - First Light', 'p101', 'Evening 1']);
    for (const other of body.split('\n'))
      if (!other.includes(' guide_id="s1"')) assert.doesNotMatch(other, / playing=/);
  });
}

test('a place and a language tell it too', async () => {
  await play(1, { title: 'First Light' });
  const { regionId, languageIds } = browse.snapshot.stationById.get(1) ?? assert.fail('s1 is not there');
  for (const params of [`id=r${regionId}`, `c=lang&filter=l${languageIds[0]}`])
    assert.equal(said(lineOf(await get(params), 's1'))[1], 'First Light');
});

test('stations like another tell their songs too', async () => {
  await play(1, { title: 'First Light' });
  const { stations } = browse.snapshot;
  const menus = stations.map(({ id }) => get(`id=s${id}&detail=recommendation`));
  const withOne = (await Promise.all(menus)).filter((body) => body.includes('guide_id="s1"'));
  assert.ok(withOne.length > 0, 's1 is like no other station');
  for (const body of withOne) assert.equal(said(lineOf(body, 's1'))[1], 'First Light');
});

test('a preset that does not play here says so, and no song', async () => {
  await play(1, { title: 'First Light' });
  const presets = await get('c=presets&partnerId=maker&username=ann&guide_id=f1031&formats=ogg');
  const line = lineOf(presets, 's1');
  assert.match(line, / key="unavailable"/);
  assert.doesNotMatch(line, / playing=/);
});

const GOLDEN = {
  'songs.opml': 'c=popular&formats=aac',
  'songs.json': 'c=popular&formats=aac&render=json',
  'songs.jsonp': 'c=popular&formats=aac&render=json&callback=heard',
};
for (const [file, params] of Object.entries(GOLDEN)) {
  test(`${params} answers ${file}`, async (t) => {
    await play(1, { artist: 'The "Example" Duo', title: 'Früh & <laut>' });
    await play(3, { title: 'Без слов', artAddress: 'https://art.example/1.jpg?a=1&b=2' });
    t.assert.fileSnapshot(await get(params), join(import.meta.dirname, 'golden', file), {
      serializers: [String],
    });
  });
}

const PAGES = ['id=g1310', 'c=popular&formats=aac', 'c=local&latlon=51.9,-8.5', 'id=a1&serial=1', 'id=a1'];
/** What is told of s1, whether the menu is made, kept or found. */
async function heardInAll(): Promise<(string | undefined)[]> {
  const given = new Set<string | undefined>();
  for (const page of [...PAGES, ...PAGES, ...PAGES]) given.add(said(lineOf(await get(page), 's1'))[0]);
  return [...given];
}

test('hot menus tell the next song from the next turn on, and none when its life is over', async () => {
  await play(1, { title: 'First' });
  assert.deepEqual(await heardInAll(), ['First']);
  await play(1, { title: 'Second' });
  assert.deepEqual(await heardInAll(), ['Second']);
  browse.clock.advance({ seconds: 119 });
  await listed.turn();
  assert.deepEqual(await heardInAll(), ['Second']);
  browse.clock.advance({ seconds: 1 });
  await listed.turn();
  assert.deepEqual(await heardInAll(), ['Evening 1']);
});

test('without songs menus are what they are where nobody knows any', async () => {
  await play(999_999, { title: 'Of a station that is not here' });
  const without = browse.with({ listedSongs: undefined });
  for (const page of PAGES) assert.equal(await get(page), await ask(without, `/Browse.ashx?${page}`));
  await play(999_999, 'nothing');
});

test('a list is no question: nobody is polled for it', async () => {
  await play(1, { title: 'First Light' });
  for (const params of Object.values(LISTS)) await get(params);
  await playing.flush();
  browse.clock.advance({ seconds: 10 });
  assert.deepEqual(await store.claimDue(100, 1000), []);
  playing.asked(1);
  await playing.flush();
  assert.equal((await store.claimDue(100, 1000)).length, 1, 'a question is one');
});
