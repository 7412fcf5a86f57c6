import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../../../../client/src/read-json.ts';
import { countOf, narrowed, resultsOf } from './results.ts';

const menu = (...body: object[]): ReturnType<typeof readJson> =>
  readJson(JSON.stringify({ head: { status: '200' }, body }));

const harbour = {
  type: 'audio',
  text: 'Harbour Folk (Cork, Ireland)',
  guide_id: 's1',
  URL: 'http://r.test/Tune.ashx?id=s1',
};
const hafen = {
  type: 'audio',
  text: 'Häfen FM (Kiel)',
  guide_id: 's2',
  URL: 'http://r.test/Tune.ashx?id=s2',
};
const show = {
  type: 'link',
  text: 'Harbour Desk',
  guide_id: 'p1',
  URL: 'http://r.test/Tune.ashx?c=pbrowse&id=p1',
};
const genre = { type: 'link', text: 'Folk', guide_id: 'g1', URL: 'http://r.test/Browse.ashx?id=g1' };
const topic = {
  type: 'audio',
  text: 'The Harbour Vote',
  guide_id: 't1',
  URL: 'http://r.test/Tune.ashx?id=t1',
};
const nothing = { type: 'text', text: 'No results for zzz' };

const found = resultsOf({
  listed: undefined,
  found: menu(genre, harbour, show, { text: 'Not here', key: 'unavailable', children: [hafen] }),
  topics: menu(show, { text: 'Episodes', key: 'topics', children: [topic] }),
  songs: menu({ ...harbour, playing: 'The Duo - Harbour Light' }),
});

test('what is found stands with its kind', () => {
  const names = Object.entries({ ...found }).map(([kind, items]) => [
    kind,
    items.map(({ guideId }) => guideId),
  ]);
  assert.deepEqual(Object.fromEntries(names), {
    genres: ['g1'],
    stations: ['s1', 's2'],
    shows: ['p1'],
    topics: ['t1'],
    songs: ['s1'],
  });
  assert.deepEqual(
    found.stations.map(({ isUnavailable }) => isUnavailable),
    [false, true],
  );
  assert.equal(found.songs[0]?.subtext, 'The Duo - Harbour Light');
});

test('nothing found is nothing, whatever line says so', () => {
  assert.equal(
    countOf(
      resultsOf({ found: menu(nothing), listed: undefined, topics: menu(nothing), songs: menu(nothing) }),
    ),
    0,
  );
  assert.equal(
    countOf(resultsOf({ found: undefined, listed: undefined, topics: undefined, songs: undefined })),
    0,
  );
});

test('while one types on, only what has the new words stays', () => {
  const next = narrowed(found, 'HARBOUR fo');
  assert.deepEqual(
    next.stations.map(({ guideId }) => guideId),
    ['s1'],
  );
  assert.deepEqual([next.shows.length, next.topics.length, next.genres.length], [0, 0, 0]);
  assert.deepEqual(
    narrowed(found, 'hafen').stations.map(({ guideId }) => guideId),
    ['s2'],
  );
  assert.equal(countOf(narrowed(found, 'jazz')), 0);
  assert.equal(countOf(narrowed(found, 'arbour')), 0);
  assert.equal(countOf(narrowed(found, '  ')), 0);
});

const station = (id: string, text: string): object => ({
  type: 'audio',
  text,
  guide_id: id,
  item: 'station',
});

test('a link to a network stays behind the station that stands for its channels, and is no result', () => {
  const network = {
    type: 'link',
    text: 'More from Quay Paradise',
    URL: 'http://radio.test/Browse.ashx?id=a12',
    guide_id: 'a12',
  };
  const results = resultsOf({
    listed: undefined,
    found: menu(station('s1', 'Quay Paradise (US)'), network, station('s2', 'Quay FM (IE)')),
    topics: undefined,
    songs: undefined,
  });
  assert.deepEqual(
    results.stations.map(({ name, href }) => [name, href]),
    [
      ['Quay Paradise', '/station/s1'],
      ['More from Quay Paradise', '/browse?id=a12'],
      ['Quay FM', '/station/s2'],
    ],
  );
  assert.deepEqual(results.genres, []);
  assert.equal(countOf(results), 2);
});

test('stations are those of the list in pages, where it came, and all of them count', () => {
  const [first] = found.stations;
  const listed = { items: [first!], total: 120 };
  const results = resultsOf({ found: menu(harbour, show), listed, topics: undefined, songs: undefined });
  assert.deepEqual(results.stations, [first]);
  assert.equal(countOf(results, listed), 121);
});
