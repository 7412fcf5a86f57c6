import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabaseWithPlaces } from '../../../../test/database/database.ts';
import { matchStations, type StationSought } from './match-stations.ts';

const database = await testDatabaseWithPlaces();
after(() => database[Symbol.asyncDispose]());
const { pool } = database;
const { rows } = await pool.query<{ id: number }>(
  "SELECT id FROM countries WHERE code IN ('IE', 'FR') ORDER BY code",
);
const [france = 0, ireland = 0] = rows.map(({ id }) => id);
await pool.query(`
  INSERT INTO stations (id, name, name_key, country_id) VALUES
    (1, 'Hit FM', 'hitfm', ${france}), (2, 'Hit FM', 'hitfm', ${ireland}), (3, 'Hit FM', 'hitfm', ${ireland}),
    (4, 'Lone FM', 'lonefm', ${ireland}), (5, 'FM', 'fm', ${ireland}), (6, 'Nowhere FM', 'nowherefm', NULL),
    (7, 'Mirror', 'mirror', ${ireland}), (8, 'Page A', 'pagea', ${ireland}), (9, 'Page B', 'pageb', ${ireland}),
    (10, 'Lone FM', '?lonefm', ${ireland}), (11, 'Doubt FM', '?doubtfm', ${ireland}), (12, 'Lone FM', '?lonefm', ${france})`);
const key = (address: string): string => `md5('${address}')::uuid`;
await pool.query(`
  INSERT INTO streams (station_id, address, address_key, resolved_key) VALUES
    (4, 'http://a.radio-haven.net/live', ${key('a.radio-haven.net/live')}, ${key('edge.radio-haven.net/live')}),
    (7, 'http://b.radio-haven.net/x', ${key('b.radio-haven.net/x')}, ${key('a.radio-haven.net/live')}),
    (8, 'http://c.radio-haven.net/1', ${key('c.radio-haven.net/1')}, ${key('abroad.radio-haven.net')}),
    (9, 'http://c.radio-haven.net/2', ${key('c.radio-haven.net/2')}, ${key('abroad.radio-haven.net')})`);

const CASES: [what: string, sought: Partial<StationSought>, found: object][] = [
  [
    'an address that a station redirects to',
    { address: 'http://edge.radio-haven.net/live' },
    { stationId: 4, by: 'address' },
  ],
  [
    'an address spelt otherwise',
    { address: 'HTTPS://C.Radio-Haven.net:443/1/?utm_source=x' },
    { stationId: 8, by: 'address' },
  ],
  [
    'an address to which another station leads, with a name',
    { address: 'http://a.radio-haven.net/live/', name: 'LONE FM (128k)' },
    { stationId: 4, by: 'address' },
  ],
  [
    'the same with the other name',
    { address: 'http://a.radio-haven.net/live', name: 'Mirror' },
    { stationId: 7, by: 'address' },
  ],
  [
    'the same with neither',
    { address: 'http://a.radio-haven.net/live', name: 'Who' },
    { why: 'several', candidates: [4, 7] },
  ],
  [
    'the message for listeners abroad',
    { address: 'http://abroad.radio-haven.net/' },
    { why: 'several', candidates: [8, 9] },
  ],
  ['a name in its country', { name: 'hit-fm [MP3 128]', countryId: france }, { stationId: 1, by: 'name' }],
  ['a name that two have', { name: 'Hit FM', countryId: ireland }, { why: 'several', candidates: [2, 3] }],
  ['a name without a country', { name: 'Lone FM' }, { why: 'noCountry', candidates: [4] }],
  ['a name in another country', { name: 'Mirror', countryId: france }, { why: 'unknown', candidates: [] }],
  ['a name that is doubtful', { name: 'Doubt FM', countryId: ireland }, { stationId: 11, by: 'name' }],
  [
    'one that is doubtful in this country',
    { name: 'Lone FM', countryId: france },
    { stationId: 12, by: 'name' },
  ],
  [
    'a name of a station without a country',
    { name: 'Nowhere FM', countryId: ireland },
    { why: 'unknown', candidates: [] },
  ],
  ['a name that proves nothing', { name: 'FM', countryId: ireland }, { why: 'unknown', candidates: [] }],
  [
    'an unknown address with a known name',
    { address: 'http://new.radio-haven.net/', name: 'Lone FM', countryId: ireland },
    { stationId: 4, by: 'name' },
  ],
  ['nothing', {}, { why: 'unknown', candidates: [] }],
];
for (const [what, sought, found] of CASES)
  test(`which station it is: ${what}`, async () => {
    const whole = { address: '', name: undefined, countryId: undefined, ...sought };
    assert.deepEqual(await matchStations(pool, [whole]), [found]);
  });

test('many are answered in their order', async () => {
  const one = { address: '', name: 'Lone FM', countryId: ireland };
  const other = { address: 'http://c.radio-haven.net/2', name: undefined, countryId: undefined };
  const found = await matchStations(
    pool,
    Array.from({ length: 1201 }, (_, n) => (n % 2 ? one : other)),
  );
  assert.equal(found.length, 1201);
  assert.ok(found.every((each, n) => 'stationId' in each && each.stationId === (n % 2 ? 4 : 9)));
});
