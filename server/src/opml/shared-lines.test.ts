import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpmlDocument } from './document.ts';
import { groupOutline, moreStations, stationLine, stationOutline, withOnAir } from './outlines.ts';
import type { StationFacts } from './outlines.ts';
import { asPreset } from './preset-outlines.ts';
import { writeJson } from './write-json.ts';
import { writeXml } from './write-xml.ts';

const named = (id: number, name: string): StationFacts => ({
  id,
  name,
  frequency: '97.9',
  genreName: 'Folk <1>',
  placeName: 'Zürich',
  bitrate: 128,
  reliability: 90,
  formats: 3,
});
const first = named(1, 'Rock & Pop');
const second = named(2, 'Радио');
const stations = [first, second, named(3, '"Gold"')];

const more = moreStations({ path: '/Browse.ashx', params: [['offset', '50']], filter: 's' });
const menu = (present: typeof stationLine, presentation: 'byPlace' | 'byGenre'): OpmlDocument => ({
  title: 'Menu',
  outlines: [
    groupOutline('Stations', 'stations', [
      ...stations.map((station) => present(station, presentation)),
      more,
    ]),
    ...stations.map((station) => present(station, presentation)),
  ],
});

test('lines made once are written as lines made anew, for every caller, host and notation', () => {
  for (const write of [writeXml, writeJson]) {
    for (const presentation of ['byPlace', 'byGenre'] as const) {
      for (const origin of ['http://a.test', 'https://b.test', 'http://a.test']) {
        for (const suffix of ['', '&formats=mp3&serial=1', '&username=ann']) {
          const links = { origin, suffix };
          assert.equal(
            write(menu(stationLine, presentation), links),
            write(menu(stationOutline, presentation), links),
          );
        }
      }
    }
  }
});

test('a kept line with a filter is written as one made anew with it', () => {
  const links = { origin: 'http://a.test', suffix: '&serial=1' };
  for (const write of [writeXml, writeJson]) {
    for (const filter of [undefined, 's', 's:popular:l5', undefined]) {
      const kept = stations.map((station) => stationLine(station, 'byGenre', filter));
      const anew = stations.map((station) => stationOutline(station, 'byGenre', filter));
      assert.equal(write({ outlines: kept }, links), write({ outlines: anew }, links));
    }
  }
});

test('a line is the same object for the same station, and another for another', () => {
  assert.equal(stationLine(first, 'byPlace'), stationLine(first, 'byPlace'));
  assert.notEqual(stationLine(first, 'byPlace'), stationLine(first, 'byGenre'));
  assert.notEqual(stationLine(first, 'byPlace'), stationLine(second, 'byPlace'));
  assert.notEqual(stationLine({ ...first }, 'byPlace'), stationLine(first, 'byPlace'));
});

test('a line that says something of the moment or of an account is its own', () => {
  const line = stationLine(first, 'byPlace');
  const links = { origin: 'http://a.test', suffix: '' };
  for (const own of [line, stationLine(first, 'byPlace', 's')]) {
    const before = writeXml({ outlines: [own] }, links);
    for (const changed of [withOnAir(own, { song: 'x' }), asPreset(own, 1), { ...own, key: 'k' }]) {
      assert.notEqual(writeXml({ outlines: [changed] }, links), before);
      assert.notEqual(writeJson({ outlines: [changed] }, links), writeJson({ outlines: [own] }, links));
    }
    assert.equal(writeXml({ outlines: [own] }, links), before);
  }
});
