import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlace } from './address-file.ts';

const london = { latitude: 51.5143, longitude: -0.0912 };

test('a flat record, as the packaged database has', () => {
  const flat = {
    city: 'London',
    country_code: 'GB',
    state1: 'England',
    postcode: '',
    timezone: '',
    ...london,
  };
  assert.deepEqual(readPlace(flat), { coordinate: london, countryCode: 'GB', precise: true });
  assert.deepEqual(readPlace({ ...flat, city: '' }), {
    coordinate: london,
    countryCode: 'GB',
    precise: false,
  });
});

test('a nested record, as files of cities have', () => {
  const nested = {
    city: { geoname_id: 2643743, names: { en: 'London', de: 'London' } },
    country: { iso_code: 'GB' },
    location: { ...london, accuracy_radius: 20, time_zone: 'Europe/London' },
    registered_country: { iso_code: 'US' },
    subdivisions: [{ iso_code: 'ENG' }],
  };
  assert.deepEqual(readPlace(nested), { coordinate: london, countryCode: 'GB', precise: true });
  const { city: _city, ...withoutCity } = nested;
  assert.equal(readPlace(withoutCity)?.precise, false);
  const vague = { ...nested, location: { ...london, accuracy_radius: 1000 } };
  assert.equal(readPlace(vague)?.precise, false, 'a thousand kilometres is no town');
});

test('a record of a country alone has no coordinate', () => {
  const place = { coordinate: undefined, countryCode: 'IE', precise: false };
  assert.deepEqual(readPlace({ country: { iso_code: 'IE' } }), place);
  assert.deepEqual(readPlace({ country_code: 'IE' }), place);
  assert.deepEqual(readPlace({ registered_country: { iso_code: 'IE' } }), place);
  const atNull = { country_code: 'IE', city: 'Cork', latitude: 0, longitude: 0 };
  assert.deepEqual(readPlace(atNull), place, '0,0 is how a flat record leaves a coordinate out');
});

test('anything else says nothing', () => {
  const records = [
    undefined,
    null,
    'GB',
    7,
    [],
    {},
    { country_code: '' },
    { country: 'GB', location: 'London' },
    { latitude: 91, longitude: 0 },
    { latitude: Number.NaN, longitude: 1 },
    { latitude: '51.5', longitude: '-0.1' },
    { country: { iso_code: 'gbr' }, location: null },
  ];
  for (const record of records) assert.equal(readPlace(record), undefined, JSON.stringify(record));
});
