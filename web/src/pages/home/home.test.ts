import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlace, readPlaces } from './chosen-place.ts';
import { heardOf } from '../../items/item.ts';
import { presetItem } from './preset-item.ts';
import { turned } from './tuner.ts';

const cork = { name: 'Cork, Ireland', id: 'r12', latlon: [51.9, -8.47] as const };

test('places are read with all that tells them apart', () => {
  const places = [
    {
      id: 'r12',
      city: 'Cork',
      state: null,
      country: 'IE',
      countryName: 'Ireland',
      latitude: 51.9,
      longitude: -8.47,
    },
    { id: 'r13', city: 'Portland', state: 'Oregon', country: 'US', countryName: 'United States' },
    { id: 's1', city: 'No place' },
    { id: 'r14' },
    null,
  ];
  assert.deepEqual(readPlaces({ places }), [
    cork,
    { name: 'Portland, Oregon, United States', id: 'r13', latlon: undefined },
  ]);
  for (const nothing of [undefined, {}, { places: 'x' }]) assert.deepEqual(readPlaces(nothing), []);
});

test('a chosen place is kept and found again', () => {
  assert.deepEqual(parsePlace(JSON.stringify(cork)), cork);
  assert.deepEqual(parsePlace('{"name":"x","id":"r1","latlon":[91,0]}'), {
    name: 'x',
    id: 'r1',
    latlon: undefined,
  });
});

test('what is no place is none', () => {
  for (const text of [
    null,
    '',
    '{',
    'null',
    '[]',
    '{"name":"x"}',
    '{"name":"","id":"r1"}',
    '{"name":"x","id":"javascript:"}',
  ])
    assert.equal(parsePlace(text), undefined, String(text));
});

test('the dial turns on, back, and around', () => {
  assert.deepEqual([turned(0, 3, 1), turned(2, 3, 1), turned(0, 3, -1), turned(0, 0, 1)], [1, 0, 2, 0]);
});

test('a preset is a line like others, and an address of one’s own is heard as it is', () => {
  const saved = { id: 'f1', subtext: '', image: '', number: 1 };
  const station = presetItem({ ...saved, guideId: 's1', kind: 'station', name: 'Harbour Folk (Cork)' });
  assert.deepEqual([station.name, station.aside, station.href], ['Harbour Folk', 'Cork', '/station/s1']);
  const show = presetItem({ ...saved, guideId: 'p1', kind: 'show', name: 'Desk (live)' });
  assert.deepEqual([show.name, heardOf(show)], ['Desk (live)', undefined]);
  const url = 'http://mine.example.net/live';
  const mine = presetItem({ ...saved, guideId: 'u1', kind: 'url', name: 'Mine', url });
  assert.deepEqual([mine.href, heardOf(mine)?.address], ['/presets', url]);
  assert.equal(
    presetItem({ ...saved, guideId: 's1', kind: 'station', name: 'x', isGone: true }).isUnavailable,
    true,
  );
});
