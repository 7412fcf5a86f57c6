import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordChanges, resolvedRecord } from '../../../test/resolved-record.ts';
import { foundStation, foundStream, type StationDraft } from './drafts.ts';
import { Known, type Witness } from './recognise.ts';

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

const TOWN = { address: 'http://a.example.net/townfm', clean: { homepageHost: 'townfm.example' } };
/** Long enough to be one station's only. */
const HARBOUR = { name: 'Harbour Town', address: 'http://a.example.net/harbourtown' };
const HARBOUR_TOO = { name: 'Harbour Town', address: 'http://harbourtown.example.org/7' };

const cases: [name: string, first: RecordChanges, second: RecordChanges, witness: Witness | undefined][] = [
  ['the same address and name', {}, { countryId: 2 }, 'address and name'],
  ['the same address and a word of the name', {}, { name: 'Die Town', countryId: 2 }, 'address and name'],
  [
    'the same address and homepage',
    { clean: { homepageHost: 'a' } },
    { name: 'Else', clean: { homepageHost: 'a' } },
    'address and homepage',
  ],
  ['the same address', {}, { name: 'Another name', countryId: 2 }, 'address'],
  [
    'the same resolved address, and nothing else alike',
    { resolved: 'http://r/1' },
    { address: SECOND, name: 'X', resolved: 'http://r/1' },
    undefined,
  ],
  [
    'the same resolved address, and a part of the name',
    { resolved: 'http://r/1' },
    { address: SECOND, name: 'The Town FM Channel', countryId: null, resolved: 'http://r/1' },
    'redirect and name',
  ],
  [
    'the same resolved address and homepage',
    { resolved: 'http://r/1', clean: { homepageHost: 'a' } },
    { address: SECOND, name: 'X', resolved: 'http://r/1', clean: { homepageHost: 'a' } },
    'redirect and homepage',
  ],
  [
    'an address that the first resolves to',
    { resolved: SECOND },
    { address: SECOND, name: 'Else' },
    'redirect',
  ],
  [
    'a resolved address that is the first one',
    {},
    { address: SECOND, name: 'Else', resolved: 'http://a.example.net/1' },
    'redirect',
  ],
  [
    'a resolved address that is the first one, of a name that its own address tells',
    {},
    { address: 'http://b.example.net/elsewhere', name: 'Elsewhere', resolved: 'http://a.example.net/1' },
    undefined,
  ],
  ['name and country, and addresses that tell nothing', {}, { address: SECOND }, undefined],
  ['name, and both addresses tell it', HARBOUR, HARBOUR_TOO, 'name and address text'],
  ['name, and one address tells it', { name: 'Harbour Town' }, HARBOUR_TOO, undefined],
  [
    'name in another country, and both addresses tell it',
    HARBOUR,
    { ...HARBOUR_TOO, countryId: 2 },
    undefined,
  ],
  [
    'name, and the address of another codec',
    { address: 'http://s1.example.net/abc/mp3-128' },
    { address: 'https://s2.example.net/abc/aac-64' },
    'name and mirror',
  ],
  [
    'name, and the address of a mirror in another country’s list',
    { address: 'http://s1.example.net/abc.mp3' },
    { address: 'https://s2.example.net/abc.aac', countryId: 2 },
    'name and mirror',
  ],
  [
    'name, and the same end of an address at another host',
    { address: 'http://one.example/web13_mp3' },
    { address: 'http://other.test/WEB13_MP3_SC' },
    'name and mirror',
  ],
  [
    'name, and the same end of an address at another host in another country',
    { address: 'http://one.example/web13_mp3' },
    { address: 'http://other.test/WEB13_MP3_SC', countryId: 2 },
    undefined,
  ],
  [
    'name, and a stream of the homepage’s own host',
    { clean: { homepageHost: 'townfm.example' } },
    { address: 'http://live.townfm.example:8000/' },
    'name and own host',
  ],
  [
    'a name in letters that no address has',
    { name: '城市广播' },
    { address: SECOND, name: '城市广播' },
    'name in another script',
  ],
  [
    'a name in Cyrillic, which addresses spell in Latin',
    { name: 'Город' },
    { address: SECOND, name: 'Город' },
    undefined,
  ],
  ['another name', TOWN, { address: SECOND, name: 'City FM' }, undefined],
  [
    'name and another homepage',
    { ...HARBOUR, clean: { homepageHost: 'a.test' } },
    { ...HARBOUR_TOO, clean: { homepageHost: 'b.test' } },
    undefined,
  ],
  [
    'name and homepage',
    { clean: { homepageHost: 'a' } },
    { address: SECOND, clean: { homepageHost: 'a' } },
    'name and homepage',
  ],
  [
    'name and homepage, a country unknown',
    { clean: { homepageHost: 'a' } },
    { address: SECOND, countryId: null, clean: { homepageHost: 'a' } },
    'name and homepage',
  ],
  [
    'name and homepage in two countries: editions of a network',
    { clean: { homepageHost: 'a.test' } },
    { address: SECOND, countryId: 2, clean: { homepageHost: 'a.test' } },
    undefined,
  ],
  [
    'name and homepage in two countries, played by the homepage’s host',
    { clean: { homepageHost: 'a.test' } },
    { address: 'http://live.a.test/9', countryId: 2, clean: { homepageHost: 'a.test' } },
    'name and homepage',
  ],
  ['name, far apart', { ...HARBOUR, coordinate: CORK }, { ...HARBOUR_TOO, coordinate: DUBLIN }, undefined],
  [
    'name, near',
    { ...HARBOUR, coordinate: CORK },
    { ...HARBOUR_TOO, coordinate: NEAR_CORK },
    'name and address text',
  ],
  ['a name that tells nothing', { name: '1' }, { address: SECOND, name: '1' }, undefined],
];

for (const [name, first, second, witness] of cases) {
  test(`${name}: ${witness ? 'one station' : 'two stations'}`, () => {
    const { known, station } = knownWith(first);
    assert.deepEqual(known.findStation(resolvedRecord(second)), witness && { station, witness });
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
