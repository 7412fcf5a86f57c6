import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, keysOf, linksOf, stationsOf } from '../../../../test/apps/browse-app.ts';
import { initialOf } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import { NO_FILTER, parseFilter, writeFilter } from './filter.ts';

const WRITTEN: [text: string, again: string | undefined][] = [
  ['', undefined],
  ['s', 's'],
  ['popular:s', 's:popular'],
  ['s:~a', 's:~A'],
  ['s:~#', 's:~#'],
  ['l5:bit64*:s:up-hi', 's:bit64*:up-hi:l5'],
  ['topic:p:l5', 'p:topic:l5'],
  ['s:g79:country', 's:g79'],
  ['constructor:toString:video:g:~AB:bit', undefined],
  ['s:l1:l2', 's:l2'],
];
for (const [text, again] of WRITTEN) {
  test(`the filter ${text} is repeated as ${again}`, () => {
    assert.equal(writeFilter(parseFilter(text)), again);
  });
}

test('a filter of a thousand tokens costs no more than the first few', () => {
  assert.deepEqual(parseFilter('x:'.repeat(1000) + 's'), NO_FILTER);
});

const INITIALS: [name: string, initial: string][] = [
  ['radio', 'R'],
  ['Éire', 'E'],
  ['Ｗide', 'W'],
  ['Łódź', 'Ł'],
  ['ßtrange', 'S'],
  ['радио', 'Р'],
  ['Ράδιο', 'Ρ'],
  ['راديو', 'ر'],
  ['東京', '#'],
  ['한강', '#'],
  ['104.6', '#'],
  ['🎵 FM', '#'],
  ['', '#'],
];
for (const [name, initial] of INITIALS) {
  test(`"${name}" is looked for under ${initial}`, () => assert.equal(initialOf(name), initial));
}

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const stationsFor = async (filter: string): Promise<DirectoryStation[]> => {
  const ids = stationsOf(await browse.get(`/Browse.ashx?id=g1000&filter=${encodeURIComponent(filter)}`));
  return ids.map((id) => browse.snapshot.stationById.get(Number(id.slice(1)))!);
};

type Test = (station: DirectoryStation) => boolean;
const TESTS: [filter: string, test: Test][] = [
  ['s:bit128', ({ bitrate }) => bitrate === 128],
  ['s:bit160*', ({ bitrate }) => bitrate >= 160],
  ['s:bit96-', ({ bitrate }) => bitrate > 0 && bitrate <= 96],
  ['s:up-hi', ({ reliability }) => reliability >= 90],
  ['s:~R', ({ name }) => name.startsWith('R')],
  ['s:~R:bit128', ({ name, bitrate }) => name.startsWith('R') && bitrate === 128],
];
for (const [filter, holds] of TESTS) {
  test(`${filter} lists the stations that it names, and all of them`, async () => {
    const listed = await stationsFor(filter);
    const ranks = browse.snapshot.genreById.get(1000)?.ranks ?? [];
    const expected = [...ranks].map((rank) => browse.snapshot.stations[rank]!).filter(holds);
    assert.ok(expected.length > 0 && expected.length < ranks.length, 'the test tells nothing');
    assert.deepEqual(listed, expected.slice(0, 50));
  });
}

test('a filter narrows the charts down too, beside what makes them charts', async () => {
  for (const chart of ['popular', 'trending', 'best', 'recent']) {
    const ids = stationsOf(await browse.get(`/Browse.ashx?c=${chart}&filter=bit128`));
    const listed = ids.map((id) => browse.snapshot.stationById.get(Number(id.slice(1)))!);
    assert.ok(listed.length > 0, chart);
    for (const { name, bitrate, reliability } of listed) {
      assert.equal(bitrate, 128, `${chart}: ${name}`);
      assert.ok(chart !== 'best' || reliability >= 90, name);
    }
  }
});

const ORDERS: [filter: string, count: (station: DirectoryStation) => number][] = [
  ['s:popular', ({ popularity }) => popularity],
  ['s:topvoted', ({ votes }) => votes],
  ['s:topclick', ({ clicks }) => clicks],
];
for (const [filter, count] of ORDERS) {
  test(`${filter} puts the most first`, async () => {
    const listed = await stationsFor(filter);
    assert.equal(listed.length, 50);
    assert.deepEqual(
      listed,
      listed.toSorted((a, b) => count(b) - count(a)),
    );
  });
}

test('in every order the page with the last stations leads to no other', async () => {
  const count = browse.snapshot.genreById.get(1000)?.ranks.length ?? 0;
  assert.ok(count > 51, 'the test tells nothing');
  for (const [filter] of ORDERS) {
    const from = async (offset: number): Promise<boolean> =>
      keysOf(await browse.get(`/Browse.ashx?id=g1000&filter=${filter}&offset=${offset}`)).includes(
        'nextStations',
      );
    assert.deepEqual([await from(count - 51), await from(count - 50)], [true, false], filter);
  }
});

for (const up of ['up-low', 'up-med', 'up-hi']) {
  test(`${up} goes along to every deeper menu and every page`, async () => {
    for (const menu of [
      'id=g1000',
      'id=g1000&pivot=name',
      'id=g1000&pivot=genre',
      'id=g1000&pivot=country',
    ]) {
      const links = linksOf(await browse.get(`/Browse.ashx?${menu}&filter=${up}`));
      const deeper = links.filter((link) => link.startsWith('/Browse.ashx'));
      assert.ok(deeper.length > 1, menu);
      for (const link of deeper)
        assert.ok(new URLSearchParams(link.slice(13)).get('filter')?.split(':').includes(up), link);
    }
  });
}

test('a random list is in another order, the same for each of its pages', async () => {
  const first = await stationsFor('s:random');
  const rest = stationsOf(await browse.get('/Browse.ashx?id=g1000&filter=s:random&offset=50'));
  assert.notDeepEqual(first, await stationsFor('s:popular'));
  const all = [...first.map(({ id }) => `s${id}`), ...rest];
  assert.equal(new Set(all).size, browse.snapshot.genreById.get(1000)?.stationCount);
});

test('a list taken apart by name, by place or by genre comes together again', async () => {
  const everyOne = new Set(stationsOf(await browse.get('/Browse.ashx?id=g1000')));
  for (const id of stationsOf(await browse.get('/Browse.ashx?id=g1000&filter=s&offset=50'))) everyOne.add(id);
  for (const pivot of ['name', 'country', 'location', 'genre']) {
    const found = new Set<string>();
    const walk = async (url: string): Promise<void> => {
      const body = await browse.get(url);
      for (const id of stationsOf(body)) found.add(id);
      for (const link of linksOf(body)) if (link.startsWith('/Browse')) await walk(link);
    };
    // A genre is not taken apart by genre: its page stays as it is.
    if (pivot === 'genre')
      assert.ok(keysOf(await browse.get('/Browse.ashx?id=g1000&pivot=genre')).includes('stations'));
    else await walk(`/Browse.ashx?id=g1000&pivot=${pivot}&filter=s`);
    if (pivot !== 'genre') assert.deepEqual([...found].toSorted(), [...everyOne].toSorted(), pivot);
  }
});

test('a station without a place is reached from the world', async () => {
  const world = await browse.get('/Browse.ashx?id=r0');
  const [elsewhere = ''] = linksOf(world).slice(-1);
  assert.equal(elsewhere, '/Browse.ashx?id=r0&filter=s:unplaced');
  assert.deepEqual(stationsOf(await browse.get(elsewhere)), ['s1000']);
});

test('a place by genre, and a genre goes along to finer places', async () => {
  const ireland = [...browse.snapshot.regionById.values()].find(({ code }) => code === 'country:IE');
  const body = await browse.get(`/Browse.ashx?id=r${ireland?.id}&filter=g1310`);
  assert.deepEqual(stationsOf(body), ['s1']);
  const deeper = linksOf(body).filter((link) => link.startsWith('/Browse'));
  assert.ok(deeper.length > 0);
  for (const link of deeper) assert.match(link, /filter=g1310$/);
});
