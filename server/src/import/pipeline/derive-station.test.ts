import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordChanges, resolvedRecord } from '../../../test/resolved-record.ts';
import type { ResolvedRecord } from './clean-record.ts';
import { deriveStation } from './derive-station.ts';

const derive = (first: RecordChanges, ...rest: RecordChanges[]) =>
  deriveStation([resolvedRecord(first), ...rest.map((changes) => resolvedRecord(changes))]);

const NJOY = 'http://icecast.ndr.de/ndr/njoy/live/mp3/128/stream.mp3';

test('a name that its address tells outweighs several that it does not', () => {
  const wrong = { name: 'MYXX FM (MIX FM Dallas)', address: NJOY, countryId: 2, clean: { clicks: 0 } };
  const right = { name: 'N-JOY', address: NJOY, countryId: 1 };
  const station = derive(wrong, wrong, wrong, right);
  assert.equal(station.name, 'N-JOY');
  assert.equal(station.countryId, 1);
});

test('nothing else counts of a record that calls the station otherwise', () => {
  const coordinate = { latitude: 32.78, longitude: -96.8 };
  const station = derive(
    {
      name: 'MYXX',
      address: NJOY,
      regionId: 9,
      coordinate,
      genreIds: [7],
      clean: { logo: 'http://x/l.png' },
    },
    { name: 'N-JOY', address: NJOY, regionId: 10, genreIds: [1] },
  );
  assert.deepEqual(
    [station.regionId, station.coordinate, station.genreIds, station.logo],
    [10, null, [1], null],
  );
});

test('of names that nothing proves the one of most records holds, and of equals the first', () => {
  const at = { address: 'http://stream.example.net/abc123def' };
  assert.equal(derive({ ...at, name: 'Alpha' }, { ...at, name: 'Beta' }).name, 'Alpha');
  assert.equal(
    derive({ ...at, name: 'Alpha' }, { ...at, name: 'Beta' }, { ...at, name: 'Beta' }).name,
    'Beta',
  );
});

test('listeners outweigh copies, by orders of magnitude', () => {
  const at = { address: 'http://stream.example.net/abc123def' };
  const copy = { ...at, name: 'Beta' };
  assert.equal(derive({ ...at, name: 'Alpha', clean: { votes: 60_000 } }, copy, copy, copy).name, 'Alpha');
});

test('spellings of one name support each other against another name', () => {
  const at = { address: 'http://stream.example.net/abc123def' };
  const [wrong, one, two] = ['Calm Smooth', 'Radio Farda', 'RFE Radio Farda'].map((name) => ({
    ...at,
    name,
  }));
  assert.equal(derive(wrong!, wrong!, one!, one!, two!).name, 'Radio Farda');
});

const page = (host: string): RecordChanges => ({
  clean: { homepage: `http://${host}/`, homepageHost: host },
});

test('the homepage is the one of most, and one that is named like the station outweighs others', () => {
  assert.equal(derive(page('a.test'), page('b.test'), page('b.test')).homepage, 'http://b.test/');
  assert.equal(derive(page('a.test'), page('a.test'), page('townfm.test')).homepage, 'http://townfm.test/');
});

test('the country is the one of most; a point of another country does not count', () => {
  const coordinate = { latitude: 51.9, longitude: -8.47 };
  const station = derive({ countryId: 2, regionId: 20, coordinate }, { countryId: 1 }, { countryId: 1 });
  assert.deepEqual([station.countryId, station.regionId, station.coordinate], [1, 10, null]);
});

test('what an operator merged into a station does not rename it', () => {
  const own = resolvedRecord({ name: 'Harbour', address: 'http://stream.example.net/abc123def' });
  const moved: ResolvedRecord = {
    ...resolvedRecord({ name: 'Quay', address: 'http://quay.example.net/quay', clean: { votes: 9999 } }),
    isByHand: true,
  };
  assert.equal(deriveStation([own, moved]).name, 'Harbour');
  assert.equal(deriveStation([moved]).name, 'Quay');
});
