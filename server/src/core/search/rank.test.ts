import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SeededDirectory, seededDirectory } from '../../../test/content/seeded-directory.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { countryOf } from '../places/caller-places.ts';
import { IN_NAME } from './queries.ts';
import { rankFound } from './rank.ts';

let seeded: SeededDirectory;
before(async () => {
  seeded = await seededDirectory();
});
after(() => seeded[Symbol.asyncDispose]());

const snapshot = () => seeded.directory.current();
const idOf = (name: string): number =>
  snapshot().stations.find((station) => station.name === name)?.id ?? assert.fail(`no ${name}`);

/** The first of two stations with these scores, for a listener in a country. */
function first(french: number, italian: number, countryCode: string | undefined): string | undefined {
  const hits = [
    { id: idOf('Radio Garrigue'), score: french },
    { id: idOf('Radio Laguna'), score: italian },
  ];
  const listener = { place: undefined, countryCode, formats: ALL_FORMATS };
  return rankFound(snapshot(), hits, listener)[0]?.station.countryCode;
}

test('a station of the country comes before one abroad that has exactly the name', () => {
  assert.equal(first(IN_NAME + 150, IN_NAME + 400, 'FR'), 'FR');
  assert.equal(first(IN_NAME + 150, IN_NAME + 400, 'IT'), 'IT');
  assert.equal(first(IN_NAME + 150, IN_NAME + 400, undefined), 'IT');
});

test('but not what was found by other words than its name', () => {
  assert.equal(first(IN_NAME - 1, IN_NAME + 100, 'FR'), 'IT');
});

test('the country of a place is told, or that of its region, or that of the stations around it', () => {
  const france = [...snapshot().regionById.values()].find(({ code }) => code === 'country:FR');
  assert.equal(countryOf({ countryCode: 'JP' }, snapshot()), 'JP');
  assert.equal(countryOf({ regionId: france?.children[0]?.id ?? france?.id }, snapshot()), 'FR');
  const laguna = snapshot().stations.find(({ name }) => name === 'Radio Laguna');
  assert.equal(countryOf({ coordinate: laguna?.coordinate }, snapshot()), 'IT');
  assert.equal(countryOf(undefined, snapshot()), undefined);
});
