import assert from 'node:assert/strict';
import { test } from 'node:test';
import { radioBrowserRecord } from './record.ts';

const UUID = '962cc6df-0601-11e8-ae97-52543be04c81';

test('the API, the dump and JSON lines say the same station', () => {
  const api = radioBrowserRecord({
    stationuuid: UUID,
    name: 'Harbour Folk',
    url: 'http://a/1',
    homepage: 'http://h/',
    favicon: 'http://h/l.png',
    tags: 'folk,irish',
    countrycode: 'IE',
    languagecodes: 'en,ga',
    votes: 5,
    bitrate: 128,
    geo_lat: 51.9,
    geo_long: -8.5,
  });
  const dump = radioBrowserRecord({
    stationuuid: UUID,
    name: 'Harbour Folk',
    url_stream: 'http://a/1',
    url_homepage: 'http://h/',
    url_favicon: 'http://h/l.png',
    tags: 'folk,irish',
    iso_3166_1: 'IE',
    iso_639: 'en,ga',
    votes: '5',
    bitrate: '128',
    geo_lat: '51.9',
    geo_long: '-8.5',
  });
  const line = radioBrowserRecord({
    id: UUID,
    name: 'Harbour Folk',
    url: 'http://a/1',
    homepage: 'http://h/',
    favicon: 'http://h/l.png',
    tags: ['folk', 'irish'],
    countrycode: 'IE',
    languages: ['en', 'ga'],
    votes: 5,
    bitrate: 128,
    geo_lat: 51.9,
    geo_long: -8.5,
  });
  assert.deepEqual(dump, api);
  assert.deepEqual(line, api);
  assert.deepEqual(api?.languages, ['en', 'ga']);
  assert.deepEqual(api?.coordinate, { latitude: 51.9, longitude: -8.5 });
  assert.equal(api?.radioBrowserId, UUID);
});

test('an id made up by someone else is no radio-browser id', () => {
  assert.equal(
    radioBrowserRecord({ id: UUID, id_src: 'derived', url: 'http://a/1' })?.radioBrowserId,
    undefined,
  );
});

test('flags are three-valued, and what is no station is nothing', () => {
  assert.equal(radioBrowserRecord({ id: 'x', lastcheckok: 0 })?.lastCheckOk, false);
  assert.equal(radioBrowserRecord({ id: 'x', lastcheckok: '1' })?.lastCheckOk, true);
  assert.equal(radioBrowserRecord({ id: 'x' })?.lastCheckOk, undefined);
  for (const value of [null, 5, 'text', [], {}, { id: 7 }, { id: '' }, { id: 'x'.repeat(201) }]) {
    assert.equal(radioBrowserRecord(value), undefined);
  }
});

test('a hostile record reads nothing but its own fields', () => {
  const value: unknown = JSON.parse('{"id":"x","__proto__":{"name":"evil"},"constructor":"y"}');
  assert.equal(radioBrowserRecord(value)?.name, '');
});
