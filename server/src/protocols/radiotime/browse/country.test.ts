import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, linksOf, stationsOf } from '../../../../test/apps/browse-app.ts';

const REGION = 200233;
let browse: BrowseApp;
let countryId: number;
before(async () => {
  browse = await browseApp();
  const found = 'SELECT id FROM countries WHERE region_id = $1';
  countryId = (await browse.database.pool.query<{ id: number }>(found, [REGION])).rows[0]?.id ?? 0;
});
after(() => browse[Symbol.asyncDispose]());

test('the id of a country opens the menu of its region', async () => {
  const region = await browse.get(`/Browse.ashx?id=r${REGION}`);
  assert.equal(await browse.get(`/Browse.ashx?id=n${countryId}`), region);
  assert.ok(stationsOf(region).length > 0);
  const flat = `/Browse.ashx?id=r${REGION}&filter=s&offset=2`;
  assert.equal(await browse.get(flat.replace(`r${REGION}`, `n${countryId}`)), await browse.get(flat));
});

test('a country without stations says so under its name, and an unknown one is refused', async () => {
  const without = `SELECT c.id, c.name FROM countries AS c WHERE NOT EXISTS (
    SELECT FROM stations AS s WHERE s.country_id = c.id) ORDER BY c.name LIMIT 1`;
  const { rows } = await browse.database.pool.query<{ id: number; name: string }>(without);
  const empty = await browse.get(`/Browse.ashx?id=n${rows[0]?.id}`);
  assert.ok(empty.includes(`<title>${rows[0]?.name}</title>`), empty);
  assert.match(empty, /<status>200<\/status>[^]*type="text"/);
  assert.match(await browse.get('/Browse.ashx?id=n999999'), /request\.idInvalid/);
});

test('a country filters category browsing, and every deeper link', async () => {
  for (const menu of ['c=music', 'id=g1000', 'c=lang', 'c=popular', 'id=g1000&pivot=name']) {
    const byRegion = await browse.getSettled(`/Browse.ashx?${menu}&filter=r${REGION}`);
    assert.equal(await browse.getSettled(`/Browse.ashx?${menu}&filter=n${countryId}`), byRegion, menu);
    assert.notEqual(await browse.getSettled(`/Browse.ashx?${menu}`), byRegion, menu);
  }
  const [genre = ''] = linksOf(await browse.get(`/Browse.ashx?c=music&filter=n${countryId}`));
  assert.match(genre, new RegExp(`filter=r${REGION}`));
  const inside = new Set(stationsOf(await browse.get(`/Browse.ashx?id=n${countryId}&filter=s`)));
  const found = stationsOf(await browse.get(genre));
  assert.ok(found.length > 0);
  for (const id of found) assert.ok(inside.has(id), `${id} is in the country`);
  const nowhere = await browse.get('/Browse.ashx?id=g1000&filter=n999999');
  assert.deepEqual(stationsOf(nowhere), []);
});
