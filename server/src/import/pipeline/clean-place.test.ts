import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cleanPlace,
  findCountryOfTags,
  findPlacelessNetwork,
  findStateOfTags,
  isCredibleCountry,
  type KnownOfStation,
  MAX_TAGS,
  distinctTags,
} from './clean-place.ts';
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
      pointSource: 'city',
    }),
    {
      place: {
        countryCode: 'DE',
        state: 'Bavaria',
        city: 'Munich',
        coordinate: { latitude: 48.13715, longitude: 11.57612 },
        pointSource: 'city',
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

test('a tag may name a state of the country', () => {
  const cases: [string[], string, string | undefined][] = [
    [['pop', 'bayern'], 'DE', 'Bayern'],
    [['jalisco'], 'MX', 'Jalisco'],
    [['nuevo leon'], 'MX', 'Nuevo León'],
    [['california', 'texas'], 'US', 'California'],
    [['jalisco'], 'DE', undefined],
    [['méxico'], 'MX', undefined],
    [['central'], 'UG', undefined],
    [['pop'], 'UZ', undefined],
    [['bayern'], 'ZZ', undefined],
    [[], 'DE', undefined],
  ];
  for (const [tags, country, state] of cases)
    assert.equal(findStateOfTags(tags, country), state, `${country} ${tags.join()}`);
});

test('tags may name a country, if only one', () => {
  assert.equal(findCountryOfTags(['deutschland', 'pop', 'germany']), 'DE');
  assert.equal(findCountryOfTags(['méxico']), 'MX');
  assert.equal(findCountryOfTags(['france', 'italy']), undefined);
  assert.equal(findCountryOfTags(['pop', 'am', 'in', 'no']), undefined);
});

test('signatures, repetitions and endless lists of tags are dropped', () => {
  assert.deepEqual(distinctTags(['Pop', ' pop ', 'Moi Merino', 'added by somebody', '', 'rock']), [
    'pop',
    'rock',
  ]);
  assert.deepEqual(distinctTags(['x'.repeat(61)]), []);
  const many = Array.from({ length: 100 }, (_, index) => `tag ${index}`);
  assert.deepEqual(distinctTags(many), many.slice(0, MAX_TAGS));
});

test('a network of internet channels is of no country, a station it carries is', () => {
  assert.equal(findPlacelessNetwork('AE', ['streaming.exclusive.radio']), 'exclusive.radio');
  assert.equal(findPlacelessNetwork('RU', ['8.8.8.8', 'radcap.ru']), 'radcap.ru');
  assert.equal(findPlacelessNetwork('MX', ['nl4.mystreaming.net']), undefined);
  assert.equal(findPlacelessNetwork('AE', ['stream.a.example', undefined]), undefined);
  assert.equal(findPlacelessNetwork(undefined, ['streaming.exclusive.radio']), undefined);
});

test('a doubtful country needs a second word', () => {
  const claim = { countryCode: 'GI', name: 'Top Hits', hosts: ['a.example'], words: ['pop', undefined] };
  assert.ok(!isCredibleCountry(claim));
  assert.ok(isCredibleCountry({ ...claim, name: 'Radio Gibraltar' }));
  assert.ok(isCredibleCountry({ ...claim, words: ['Gibraltar'] }));
  assert.ok(isCredibleCountry({ ...claim, hosts: [undefined, 'www.radio.gi'] }));
  assert.ok(isCredibleCountry({ ...claim, countryCode: 'DE' }));
  assert.ok(!isCredibleCountry({ ...claim, countryCode: 'AF' }));
  assert.ok(isCredibleCountry({ ...claim, countryCode: 'AF', name: 'راديو افغان' }));
  assert.ok(isCredibleCountry({ ...claim, countryCode: 'AF', hosts: ['radiokabul.example'] }));
});
