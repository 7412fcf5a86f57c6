import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createGunzip } from 'node:zlib';
import { REAL_STATIONS, withoutRealData } from '../content/real-data.ts';
import { readLists } from './lists.ts';
import { isStationOf, type Named, named } from './match.ts';
import { plainNames } from './plain-name.ts';

const { broadcasters, cities, queries } = readLists();

test('names are compared without accents and without the quality of the stream', () => {
  assert.deepEqual(plainNames('ORF Hitradio Ö3 | HQ'), ['orf hitradio o3']);
  assert.deepEqual(plainNames('Radio Arabella 92.9 FM (128k MP3)'), [
    'radio arabella 92 9 fm',
    'radio arabella',
  ]);
  assert.deepEqual(plainNames('NRJ+'), ['nrj plus']);
});

test('the lists are as long and as wide as docs/quality.md says', () => {
  assert.equal(cities.length, 60);
  assert.ok(new Set(cities.map(({ country }) => country)).size >= 35);
  assert.equal(queries.length, 300);
  assert.ok(new Set(queries.map(({ caller }) => caller.country)).size >= 20);
});

test('no broadcaster, city or query is there twice', () => {
  assert.deepEqual(twice(broadcasters.map(({ country, name }) => `${country} ${name}`)), []);
  assert.deepEqual(twice(cities.map(({ name }) => name)), []);
  for (const { name, wanted } of cities) assert.deepEqual(twice(wanted.map((one) => one.name)), [], name);
  assert.deepEqual(twice(queries.map(({ caller, text }) => `${caller.country} ${text}`)), []);
});

test('every broadcaster is wanted somewhere', () => {
  const wanted = new Set([...cities, ...queries].flatMap((one): unknown[] => one.wanted));
  assert.deepEqual(
    broadcasters.filter((one) => !wanted.has(one)).map(({ country, name }) => `${country} ${name}`),
    [],
  );
});

function twice(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

test('every broadcaster is among the real stations', { skip: withoutRealData }, async () => {
  const missing = new Map(Map.groupBy(broadcasters, ({ country }) => country));
  const input = createReadStream(REAL_STATIONS).pipe(createGunzip());
  for await (const line of createInterface({ input })) {
    const [, country] = /"countrycode":"([A-Z]{2})"/.exec(line) ?? [];
    // Most lines need no parsing: nothing of their country is missing any more.
    for (const [of, some] of missing) {
      const candidates = country === undefined ? some.filter(({ mayLackCountry }) => mayLackCountry) : some;
      if ((country !== undefined && country !== of) || candidates.length === 0) continue;
      const station = readStation(line);
      missing.set(
        of,
        some.filter((one) => !isStationOf(one, station)),
      );
    }
  }
  assert.deepEqual(
    [...missing.values()].flat().map(({ country, name }) => `${country} ${name}`),
    [],
  );
});

function readStation(line: string): Named {
  const record: { name: string; countrycode?: string; homepage?: string } = JSON.parse(line);
  return named(record.name, record.countrycode, URL.parse(record.homepage ?? '')?.hostname);
}
