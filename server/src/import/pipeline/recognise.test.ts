import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordChanges, resolvedRecord } from '../../../test/content/resolved-record.ts';
import { foundStation, foundStream, type StationDraft } from './drafts.ts';
import { Known } from './recognise.ts';

const CORK = { latitude: 51.9, longitude: -8.47 };
const DUBLIN = { latitude: 53.35, longitude: -6.26 };
const NEAR_CORK = { latitude: 52.1, longitude: -8.6 };

function knownWith(changes: RecordChanges): { known: Known; station: StationDraft } {
  const record = resolvedRecord(changes);
  const known = new Known();
  const station = foundStation(record);
  known.addStation(station);
  known.addStream(foundStream(station, record));
  return { known, station };
}

const SECOND = 'http://b.example.net/2';

const cases: [name: string, first: RecordChanges, second: RecordChanges, same: boolean][] = [
  ['the same address', {}, { name: 'Another name', countryId: 2 }, true],
  [
    'the same resolved address, and nothing else alike',
    { resolved: 'http://r/1' },
    { address: SECOND, name: 'X', resolved: 'http://r/1' },
    false,
  ],
  [
    'the same resolved address, and a part of the name',
    { resolved: 'http://r/1' },
    { address: SECOND, name: 'The Town FM Channel', countryId: null, resolved: 'http://r/1' },
    true,
  ],
  [
    'the same resolved address and homepage',
    { resolved: 'http://r/1', clean: { homepageHost: 'a' } },
    { address: SECOND, name: 'X', resolved: 'http://r/1', clean: { homepageHost: 'a' } },
    true,
  ],
  ['an address that the first resolves to', { resolved: SECOND }, { address: SECOND, name: 'Else' }, true],
  [
    'a resolved address that is the first one',
    {},
    { address: SECOND, name: 'Else', resolved: 'http://a.example.net/1' },
    true,
  ],
  [
    'a resolved address that is the first one of another name, homepage and country',
    { clean: { homepageHost: 'a' } },
    {
      address: SECOND,
      name: 'Else',
      countryId: 2,
      resolved: 'http://a.example.net/1',
      clean: { homepageHost: 'b' },
    },
    false,
  ],
  ['name and country', {}, { address: SECOND }, true],
  ['name in another country', {}, { address: SECOND, countryId: 2 }, false],
  ['name without a country', { countryId: null }, { address: SECOND, countryId: null }, false],
  ['another name', {}, { address: SECOND, name: 'City FM' }, false],
  [
    'name and another homepage',
    { clean: { homepageHost: 'a' } },
    { address: SECOND, clean: { homepageHost: 'b' } },
    false,
  ],
  [
    'name and homepage',
    { clean: { homepageHost: 'a' } },
    { address: SECOND, clean: { homepageHost: 'a' } },
    true,
  ],
  [
    'name and homepage, a country unknown',
    { clean: { homepageHost: 'a' } },
    { address: SECOND, countryId: null, clean: { homepageHost: 'a' } },
    true,
  ],
  ['name, a homepage unknown', { clean: { homepageHost: 'a' } }, { address: SECOND }, true],
  ['name, far apart', { coordinate: CORK }, { address: SECOND, coordinate: DUBLIN }, false],
  ['name, near', { coordinate: CORK }, { address: SECOND, coordinate: NEAR_CORK }, true],
  ['a name that tells nothing', { name: '1' }, { address: SECOND, name: '1' }, false],
];

for (const [name, first, second, same] of cases) {
  test(`${name}: ${same ? 'one station' : 'two stations'}`, () => {
    const { known, station } = knownWith(first);
    assert.equal(known.findStation(resolvedRecord(second))?.station, same ? station : undefined);
  });
}

test('of several namesakes the one with the same homepage is meant', () => {
  const { known } = knownWith({});
  const other = foundStation(resolvedRecord({ address: SECOND, clean: { homepageHost: 'b' } }));
  known.addStation(other);
  const third = resolvedRecord({ address: 'http://c.example.net/3', clean: { homepageHost: 'b' } });
  assert.equal(known.findStation(third)?.station, other);
});

/** Where everybody is sent who may not listen. */
const PAGE = 'http://cdn.example.net/geoblock.m3u8';

function meet(known: Known, changes: RecordChanges): StationDraft {
  const record = resolvedRecord(changes);
  const found = known.findStation(record)?.station;
  const station = found ?? foundStation(record);
  if (!found) known.addStation(station);
  known.addStream(foundStream(station, record));
  return station;
}

test('what many stations lead to is none of them, nor is it one with the next', () => {
  const { known } = knownWith({ name: 'First', address: 'http://s.example.net/1', resolved: PAGE });
  const stations = ['Second', 'Third', 'Fourth'].map((name, index) =>
    meet(known, { name, address: `http://s.example.net/${index + 2}`, resolved: PAGE }),
  );
  assert.equal(new Set(stations).size, 3);
  const page = meet(known, { name: 'Listed by its page', address: PAGE });
  assert.ok(!stations.includes(page));
  const fifth = meet(known, { name: 'Fifth', address: 'http://s.example.net/5', resolved: PAGE });
  assert.ok(![page, ...stations].includes(fifth));
  const again = meet(known, { name: 'Third', countryId: null, address: SECOND, resolved: PAGE });
  assert.equal(again, stations[1]);
});
