import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownOfStation, cleanPlace } from './clean-place.ts';
import type { StationRecord } from './record.ts';

const RAW: StationRecord = {
  source: 'test',
  record: '1',
  name: 'Radio One',
  address: 'http://a.example/1',
  languages: [],
  tags: [],
  bitrateKbps: 0,
  hls: false,
  votes: 0,
  clicks: 0,
};
const KNOWN: KnownOfStation = {
  name: 'Radio One',
  tags: [],
  homepage: undefined,
  address: 'http://a.example/1',
};
const placeOf = (raw: Partial<StationRecord>, known: Partial<KnownOfStation> = {}) =>
  cleanPlace({ ...RAW, ...raw }, { ...KNOWN, ...known });

test('what a source says of a place is kept, tidied', () => {
  assert.deepEqual(
    placeOf({
      countryCode: 'de',
      countryName: 'Germany',
      state: ' Bavaria\n',
      city: 'Munich',
      coordinate: { latitude: 48.137154, longitude: 11.576124 },
      coordinateIsCity: true,
    }),
    {
      place: {
        countryCode: 'DE',
        state: 'Bavaria',
        city: 'Munich',
        coordinate: { latitude: 48.13715, longitude: 11.57612 },
        coordinateIsCity: true,
      },
    },
  );
  assert.deepEqual(placeOf({ city: '-', state: '123', coordinate: { latitude: 0, longitude: 0 } }), {
    place: {},
  });
  assert.deepEqual(placeOf({ countryName: 'Atlantis' }), { place: { countryName: 'Atlantis' } });
});

test('tags fill what the source leaves open', () => {
  assert.deepEqual(placeOf({}, { tags: ['pop', 'deutschland', 'bayern'] }), {
    place: { countryCode: 'DE', state: 'Bayern' },
  });
  assert.deepEqual(placeOf({ countryCode: 'DE', state: 'Saxony' }, { tags: ['bayern'] }), {
    place: { countryCode: 'DE', state: 'Saxony' },
  });
});

test('a place that cannot be believed is dropped whole', () => {
  const office = { countryCode: 'AE', city: 'Dubai', coordinate: { latitude: 25.2, longitude: 55.3 } };
  assert.deepEqual(placeOf(office, { address: 'https://streaming.exclusive.radio/er/x' }), {
    place: {},
    network: 'exclusive.radio',
  });
  assert.deepEqual(placeOf(office).place.city, 'Dubai');
  assert.deepEqual(placeOf({ countryCode: 'GI', countryName: 'Gibraltar' }), { place: {} });
  assert.deepEqual(placeOf({ countryCode: 'GI' }, { homepage: 'https://radio.gi/' }), {
    place: { countryCode: 'GI' },
  });
});
