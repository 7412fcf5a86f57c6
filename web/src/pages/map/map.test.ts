import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLetters } from '../../items/plain-letters.ts';
import { PAGE_LENGTH, pageOf, stationsInView, stationsNamed } from './in-view.ts';
import { Marks } from './drawing/marks.ts';
import { nearestMark } from './drawing/nearest-mark.ts';
import { readPoints, stationsAt } from './points.ts';
import {
  type View,
  bounded,
  leastZoom,
  panned,
  screenPoint,
  wholeWorld,
  worldAt,
  zoomedAt,
} from './view/view.ts';
import { parseView, writeView } from './view/view-text.ts';
import { eastward, latitudeOf, longitudeOf, worldPoint } from './view/world.ts';

const SIZE = { width: 800, height: 500 };
const near = (one: number, other: number, within = 1e-9): void =>
  assert.ok(Math.abs(one - other) <= within, `${one} is not ${other}`);

/** The same numbers in each run, spread over all the world. */
function scattered(count: number): { lat: number[]; lon: number[]; id: number[] } {
  let seed = 7;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const [lat, lon, id]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < count; at++) {
    // Every third station shares the place of one before it.
    const isShared = at % 3 === 2;
    lat.push(isShared ? lat[at - 2]! : Math.round(next() * 170_000 - 85_000));
    lon.push(isShared ? lon[at - 2]! : Math.round(next() * 360_000 - 180_000));
    id.push(10 + at * 3);
  }
  return { lat, lon, id };
}

test('a coordinate is found again where it was put', () => {
  for (const [longitude, latitude] of [
    [13.4, 52.5],
    [-180, 0],
    [179.9, -84],
    [0, 0],
    [-73.97, 40.75],
  ] as const) {
    const { x, y } = worldPoint(longitude, latitude);
    near(longitudeOf(x), longitude);
    near(latitudeOf(y), latitude);
  }
  assert.deepEqual(worldPoint(0, 0), { x: 0.5, y: 0.5 });
  // The poles are infinitely far away; they stand at the edge.
  near(worldPoint(0, 90).y, 0, 1e-6);
  near(worldPoint(0, -90).y, 1, 1e-6);
});

test('the shorter way round the world is the way', () => {
  near(eastward(0.9, 0.1), 0.2);
  near(eastward(0.1, 0.9), -0.2);
  near(eastward(0.2, 0.3), 0.1);
});

test('no view shows anything beyond the world', () => {
  for (const view of [{ x: 5.3, y: -3, zoom: -20 }, { x: -0.2, y: 9, zoom: 40 }, wholeWorld(SIZE)]) {
    const { x, y, zoom } = bounded(view, SIZE);
    const half = SIZE.height / 2 / (512 * 2 ** zoom);
    assert.ok(
      x >= 0 && x < 1 && y - half >= -1e-9 && y + half <= 1 + 1e-9 && zoom >= leastZoom(SIZE) && zoom <= 9,
    );
  }
});

test('what is under the pointer stays there while the map is zoomed', () => {
  const view = bounded({ x: 0.53, y: 0.35, zoom: 4 }, SIZE);
  const at = { left: 640, top: 90 };
  const before = worldAt(view, SIZE, at);
  for (const steps of [1, -1, 0.3]) {
    const after = worldAt(zoomedAt(view, SIZE, at, steps), SIZE, at);
    near(after.x, before.x);
    near(after.y, before.y);
  }
});

test('the map follows the hand, across the date line too', () => {
  const view = bounded({ x: 0.99, y: 0.4, zoom: 3 }, SIZE);
  const point = worldAt(view, SIZE, { left: 400, top: 250 });
  const moved = panned(view, SIZE, -120, 35);
  const { left, top } = screenPoint(moved, SIZE, point);
  near(left, 280, 1e-6);
  near(top, 285, 1e-6);
  assert.ok(moved.x < 0.1, 'went round');
});

test('an address brings back the view it was written for, and nothing else is one', () => {
  const view = { ...worldPoint(13.405, 52.52), zoom: 6.25 };
  assert.equal(writeView(view), '52.52,13.405,6.25');
  const read = parseView(writeView(view));
  assert.ok(read);
  near(read.x, view.x, 1e-6);
  near(read.y, view.y, 1e-6);
  assert.equal(read.zoom, 6.25);
  for (const text of [null, '', '52,13', 'NaN,0,0', '1e3,0,0', '52,13,6,1', '0x10,1,1'])
    assert.equal(parseView(text), undefined, String(text));
});

test('stations of one place are one site, in their order, and none is lost', () => {
  const packed = scattered(900);
  const { sites, siteOf, ids, count } = readPoints(packed);
  const places = new Set(packed.lat.map((lat, at) => `${lat} ${packed.lon[at]}`));
  assert.equal(sites.count, places.size);
  assert.equal(count, 900);
  assert.deepEqual([...ids], packed.id);
  const seen = Array.from({ length: sites.count }, (_none, site) => [...stationsAt(sites, site)]);
  for (const [site, stations] of seen.entries()) {
    assert.deepEqual(
      stations,
      stations.toSorted((one, other) => one - other),
    );
    for (const station of stations) {
      assert.equal(siteOf[station], site);
      assert.equal(sites.latitude[site], packed.lat[station]! / 1000);
    }
  }
  assert.equal(seen.flat().length, 900);
});

test('two places are not taken for one because their numbers are the same', () => {
  assert.equal(readPoints({ lat: [1, 2, -1, 1], lon: [2, 1, 4, 2], id: [1, 2, 3, 4] }).sites.count, 3);
});

test('the list is what can be seen on the map, the most popular first', () => {
  const points = readPoints(scattered(3000));
  const views: View[] = [wholeWorld(SIZE), { x: 0.999, y: 0.5, zoom: 3 }, { x: 0.5, y: 0.3, zoom: 4.4 }];
  for (const view of views.map((each) => bounded(each, SIZE))) {
    const inView: number[] = [];
    for (let at = 0; at < points.count; at++) {
      const { left, top } = screenPoint(view, SIZE, { x: points.x[at]!, y: points.y[at]! });
      if (left >= 0 && left <= SIZE.width && top >= 0 && top <= SIZE.height) inView.push(at);
    }
    assert.ok(inView.length > 5);
    assert.deepEqual([...stationsInView(points, view, SIZE)], inView);
  }
});

test('marks stand for every station of a view once, and name the most popular', () => {
  const points = readPoints(scattered(3000));
  const marks = new Marks(points);
  const whole = { width: 2000, height: 2000 };
  const view = bounded({ x: 0.5, y: 0.5, zoom: 0 }, whole);
  const shown = marks.within(view, whole);
  assert.ok(shown.length > 100 && shown.length < points.sites.count);
  assert.equal(
    shown.reduce((sum, { count }) => sum + count, 0),
    points.count,
  );
  assert.equal(Math.min(...shown.map(({ best }) => best)), 0);
});

test('a mark is named for the most popular of its stations, wherever that stands among them', () => {
  for (const lon of [
    [10, 20, 30],
    [20, 10, 30],
    [30, 20, 10],
  ]) {
    const points = readPoints({ lat: [0, 0, 0], lon, id: [1, 2, 3] });
    const [mark, ...others] = new Marks(points).within({ x: 0.5, y: 0.5, zoom: 2 }, SIZE);
    assert.deepEqual([mark?.count, mark?.best, others.length], [3, 0, 0]);
  }
});

test('a mark of several sites comes apart at the zoom it names; a site does not', () => {
  const points = readPoints(scattered(3000));
  const marks = new Marks(points);
  const view = bounded({ x: 0.5, y: 0.4, zoom: 1 }, SIZE);
  const cluster = marks.within(view, SIZE).find(({ site }) => site === undefined);
  const splitsAt = cluster?.splitsAt;
  assert.ok(cluster && splitsAt !== undefined);
  const closer = marks.within({ ...cluster, zoom: splitsAt }, SIZE);
  assert.ok(closer.every(({ count, x, y }) => count < cluster.count || x !== cluster.x || y !== cluster.y));
  const all = marks.within({ ...cluster, zoom: 9 }, { width: 50_000, height: 50_000 });
  assert.ok(
    all.length > 0 && all.every(({ site, splitsAt: splits }) => site !== undefined && splits === undefined),
  );
});

test('marks are there on both sides of the date line', () => {
  const points = readPoints({ lat: [0, 0, 0], lon: [179_000, -179_000, 0], id: [1, 2, 3] });
  const shown = new Marks(points).within({ x: 0.001, y: 0.5, zoom: 5 }, SIZE);
  assert.deepEqual(new Set(shown.map(({ best }) => best)), new Set([0, 1]));
});

test('a click means the nearest mark, and none that is out of reach', () => {
  const points = readPoints({ lat: [0, 0], lon: [0, 10_000], id: [1, 2] });
  const view = { x: 0.5, y: 0.5, zoom: 3 };
  const marks = new Marks(points).within(view, SIZE);
  const of = (left: number, reach: number) =>
    nearestMark(marks, { view, size: SIZE, at: { left, top: 250 }, reach })?.best;
  assert.equal(of(405, 12), 0);
  assert.equal(of(510, 12), 1);
  assert.equal(of(450, 12), undefined);
});

test('names are found in any order of words, without accents and case', () => {
  const names = ['Rádio São Paulo', 'Paulo e Rádio', 'Ñandú FM', '東京の夜', 'STRASSE'].map(plainLetters);
  const find = (text: string): number[] => [...stationsNamed(Int32Array.from(names.keys()), names, text)];
  assert.deepEqual(find('paulo radio'), [0, 1]);
  assert.deepEqual(find('SAO'), [0]);
  assert.deepEqual(find('nandu'), [2]);
  assert.deepEqual(find('東京'), [3]);
  assert.deepEqual(find('  '), [0, 1, 2, 3, 4]);
  assert.deepEqual(find('nothing'), []);
});

test('signs that are letters of their script tell names apart', () => {
  for (const pair of ['दिल दाल', 'รัก รก', 'ばら はら', 'мой мои', 'їм ім']) {
    const [one, other] = pair.split(' ').map(plainLetters);
    assert.notEqual(one, other);
  }
  for (const pair of ['Ёлка елка', 'שָׁלוֹם שלום', 'مُحَمَّد محمد', 'Việt viet', 'ﾊﾞﾗ バラ']) {
    const [one, other] = pair.split(' ').map(plainLetters);
    assert.equal(one, other);
  }
});

test('pages hold every station once, and an end that is passed is the end', () => {
  const stations = Int32Array.from({ length: 2 * PAGE_LENGTH + 5 }, (_none, at) => at * 2);
  const pages = [0, 1, 2].map((number) => pageOf(stations, number));
  assert.deepEqual(
    pages.flatMap((page) => [...page.stations]),
    [...stations],
  );
  assert.deepEqual(
    pages.map(({ hasBefore, hasAfter }) => [hasBefore, hasAfter]),
    [
      [false, true],
      [true, true],
      [true, false],
    ],
  );
  assert.equal(pageOf(stations, 99).number, 2);
  assert.deepEqual(
    { ...pageOf(new Int32Array(), 3), stations: [] },
    { number: 0, from: 0, stations: [], hasBefore: false, hasAfter: false },
  );
});
