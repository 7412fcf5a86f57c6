import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { drawLand } from '../land/land.ts';
import type { Mark } from '../drawing/marks.ts';
import { screenPoint } from '../view/view.ts';
import { worldPoint } from '../view/world.ts';
import { roomAround } from './country-room.ts';
import { type PackedLabels, readPlaces } from './load-labels.ts';
import { type Label, LINE_HEIGHT, type Lettering, placeLabels } from './place-labels.ts';

const PACKED: PackedLabels = {
  countries: {
    code: ['FR', 'DE', 'LU', '??'],
    lat: [48_850, 52_520, 49_610, 0],
    lon: [2350, 13_400, 6130, 0],
    count: [900, 800, 5, 1],
  },
  towns: {
    name: ['Paris', 'Berlin', 'Munich', 'Versailles', 'Nowhere'],
    lat: [48_850, 52_520, 48_140, 48_800, 30_000],
    lon: [2350, 13_400, 11_580, 2130, -40_000],
    count: [500, 400, 90, 3, 2],
  },
};
const size = { width: 1200, height: 800 };
const middle = worldPoint(8, 50);

const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
const none: Pick<Path2D, 'moveTo' | 'lineTo' | 'closePath'> = { moveTo() {}, lineTo() {}, closePath() {} };
// oxlint-disable-next-line no-unsafe-type-assertion -- of a path only what draws is used
const { outlines } = drawLand(JSON.parse(readFileSync(file, 'utf8')), () => none as Path2D);

/** As if every letter were eight pixels wide, and every town but Nowhere had its light. */
function lettering(zoom: number, change: Partial<Lettering> = {}): Lettering {
  const places = readPlaces(PACKED, 'en');
  const marks = places.towns
    .filter(({ name }) => name !== 'Nowhere')
    .map(({ x, y, count }): Mark => ({ x, y, count, best: 0, site: 0, splitsAt: undefined }));
  return {
    view: { ...middle, zoom },
    size,
    marks,
    places,
    roomOf: (country) => roomAround(outlines, country),
    widthOf: (name) => name.length * 8,
    ...change,
  };
}
const named = (language: string): string[] => readPlaces(PACKED, language).countries.map(({ name }) => name);
const namesOf = (labels: readonly Label[]): string[] => labels.map(({ name }) => name);

test('countries are named in the language of the page', () => {
  assert.deepEqual(named('de'), ['Frankreich', 'Deutschland', 'Luxemburg']);
  assert.deepEqual(named('ja'), ['フランス', 'ドイツ', 'ルクセンブルク']);
});

test('far away only countries with room for their name have it; nearer, towns with a light do', () => {
  assert.deepEqual(namesOf(placeLabels(lettering(0))), []);
  const near = namesOf(placeLabels(lettering(3.4)));
  assert.deepEqual(near.slice(0, 2), ['France', 'Germany']);
  assert.ok(near.includes('Paris') && near.includes('Munich'));
  assert.ok(!near.includes('Luxembourg') && !near.includes('Nowhere'), String(near));
  assert.ok(namesOf(placeLabels(lettering(4.6))).includes('Luxembourg'));
  assert.ok(!namesOf(placeLabels(lettering(7))).includes('France'));
});

test('no two names overlap, none reaches over the edge, and towns with more stations go first', () => {
  // A light on every other pixel of a small map, all called the same length.
  const towns = Array.from({ length: 3000 }, (_none, at) => ({
    ...worldPoint(8 + (((at * 37) % 100) - 50) / 8, 50 + (((at * 61) % 100) - 50) / 20),
    name: `Town ${String(at).padStart(4, '0')}`,
    count: 3000 - at,
  }));
  const marks = towns.map(({ x, y, count }) => ({
    x,
    y,
    count,
    best: 0,
    site: 0,
    splitsAt: undefined,
  }));
  const given = lettering(5, { marks, places: { countries: [], towns } });
  const labels = placeLabels(given);
  assert.ok(labels.length > 20 && labels.length <= 80, String(labels.length));
  assert.equal(labels[0]?.name, 'Town 0000');
  for (const [at, one] of labels.entries()) {
    const half = given.widthOf(one.name, one.kind) / 2;
    assert.ok(one.left - half >= 0 && one.left + half <= size.width);
    for (const other of labels.slice(at + 1))
      assert.ok(
        Math.abs(one.left - other.left) >= half * 2 || Math.abs(one.top - other.top) >= LINE_HEIGHT.town,
        `${one.name} and ${other.name}`,
      );
  }
});

test('a town is written beside its light, not on it', () => {
  const given = lettering(5);
  const paris = placeLabels(given).find(({ name }) => name === 'Paris') ?? assert.fail();
  const light = screenPoint(given.view, size, worldPoint(2.35, 48.85));
  const gap = Math.abs(paris.left - light.left) - given.widthOf('Paris', 'town') / 2;
  assert.ok(gap > 2 && gap < 16 && paris.top === light.top, `${gap} pixels away`);
});

test('the name of a country is written where it is wide, within it', () => {
  const norway = roomAround(outlines, worldPoint(10.75, 59.91)) ?? assert.fail();
  // Its middle by area is in Sweden.
  assert.ok(roomAround(outlines, norway)?.x === norway.x && norway.width > 0.005);
  const russia = roomAround(outlines, worldPoint(37.6, 55.75)) ?? assert.fail();
  assert.ok(russia.width > 0.2 && russia.x > 0.7 && russia.x < 0.85, JSON.stringify(russia));
  assert.equal(roomAround(outlines, worldPoint(-40, 30)), undefined);
});
