import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type BrowseApp,
  ask,
  askSettled,
  browseApp,
  keysOf,
  linksOf,
  stationsOf,
} from '../../../../test/apps/browse-app.ts';
import { testDatabase } from '../../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue } from '../../../../test/content/random-catalogue.ts';
import { buildSnapshot } from '../../../core/directory/snapshot/build-snapshot.ts';
import { CallerPlaces, type PlaceOfAddress } from '../../../core/places/caller-places.ts';

const CORK = { latitude: 51.9, longitude: -8.5 };
const TOKYO = { latitude: 35.7, longitude: 139.7 };

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const placeOfAddress: PlaceOfAddress = (ip) =>
  new Map([
    ['9.9.9.9', { coordinate: TOKYO, countryCode: 'JP', precise: true }],
    ['8.8.8.8', { coordinate: { latitude: 51, longitude: 9 }, countryCode: 'DE', precise: false }],
    ['7.7.7.7', { coordinate: TOKYO, countryCode: 'XX', precise: false }],
  ]).get(ip);

const placesOf = (sources: ConstructorParameters<typeof CallerPlaces>[1]): CallerPlaces =>
  new CallerPlaces(browse.database.pool, sources);

/** Who is asking, and the first station each is told of. */
const CALLERS: [name: string, url: string, ip: string | undefined, first: string | undefined][] = [
  ['latlon before all else', '&latlon=51.9,-8.5&username=ann', '9.9.9.9', 's1'],
  ['then the account', '&username=Ann', '9.9.9.9', 's10'],
  ['an account that nobody has is none', '&username=nobody', '9.9.9.9', 's49'],
  ['an account that is not read by name is none', '&username=shy', '9.9.9.9', 's49'],
  ['an account without a place has none to give', '&username=kim', '9.9.9.9', 's49'],
  ['then the address', '', '9.9.9.9', 's49'],
  ['an unknown address stands at home', '', '1.1.1.1', 's1'],
  ['so does one in a house', '', undefined, 's1'],
  ['a coordinate is always taken strictly', '&latlon=35.7,139.7&exact=1', undefined, 's49'],
];
for (const [name, url, ip, first] of CALLERS) {
  test(`local radio: ${name}`, async () => {
    await using app = browse.with({ places: placesOf({ placeOfAddress, homePlace: () => CORK }) });
    const headers: Record<string, string> = ip === undefined ? {} : { 'x-forwarded-for': ip };
    const body = await askSettled(browse.database.pool, app, `/Browse.ashx?c=local${url}`, headers);
    assert.match(body, /<title>Local Radio<\/title>/);
    assert.equal(stationsOf(body)[0], first);
    assert.deepEqual(keysOf(body), ['stations', 'localCountry']);
  });
}

test('the country is one link further, and the stations are one group without a second page', async () => {
  const body = await browse.get('/Browse.ashx?c=local&latlon=51.9,-8.5');
  assert.match(body, /text="More in Ireland"/);
  assert.match(await browse.get(linksOf(body).at(-1) ?? ''), /<title>Ireland<\/title>/);
  assert.equal(new Set(stationsOf(body)).size, 71);
});

test('who works out an offset still gets that part of the group', async () => {
  const whole = stationsOf(await browse.get('/Browse.ashx?c=local&latlon=51.9,-8.5'));
  const rest = await browse.get('/Browse.ashx?c=local&latlon=51.9,-8.5&offset=60');
  assert.deepEqual(stationsOf(rest), whole.slice(60));
  assert.doesNotMatch(rest, /nextStations/);
});

test('the group ends with the two hundredth station', async () => {
  await using database = await testDatabase();
  await fillCatalogue(database.pool, randomCatalogue(1, 1000));
  const crowded = await buildSnapshot(database.pool);
  await using app = browse.with({ directory: { current: () => crowded } });
  const body = await ask(app, '/Browse.ashx?c=local&latlon=51.9,-8.5');
  assert.equal(new Set(stationsOf(body)).size, 200);
  assert.doesNotMatch(body, /nextStations/);
});

const PAGED: [who: string, query: string, size: number][] = [
  ['a partner that agreed on a size', 'partnerId=small', 4],
  ['a device with a small page', 'device=old-radio', 25],
  ['such a device of a partner that agreed on nothing', 'device=old-radio&partnerId=maker', 25],
];
for (const [who, query, size] of PAGED) {
  test(`${who} keeps its pages`, async () => {
    const first = await browse.get(`/Browse.ashx?c=local&latlon=51.9,-8.5&${query}`);
    assert.equal(stationsOf(first).length, size);
    assert.deepEqual(keysOf(first), ['stations', 'nextStations', 'localCountry']);
    const second = await browse.get(linksOf(first).at(-2) ?? '');
    assert.equal(stationsOf(second).length, size);
    assert.equal(stationsOf(second).filter((id) => stationsOf(first).includes(id)).length, 0);
  });
}

const COARSE: [name: string, url: string, ip: string][] = [
  ['an account that knows its country', '&username=bo', '9.9.9.9'],
  ['an address that tells no more than a country', '', '8.8.8.8'],
];
for (const [name, url, ip] of COARSE) {
  test(`${name} leads to finer places`, async () => {
    await using app = browse.with({ places: placesOf({ placeOfAddress, homePlace: () => CORK }) });
    const headers = { 'x-forwarded-for': ip };
    const body = await askSettled(browse.database.pool, app, `/Browse.ashx?c=local${url}`, headers);
    const { regionById } = browse.snapshot;
    const germany = [...regionById.values()].find(({ code }) => code === 'country:DE');
    const ids = linksOf(body).flatMap((link) => /[?&]id=(r\d+)/.exec(link)?.[1] ?? []);
    assert.deepEqual(ids.toSorted(), germany?.children.map(({ id }) => `r${id}`).toSorted());
    assert.match(body, /<title>Local Radio<\/title>/);
  });
}

test('who stands nowhere gets the places to choose from', async () => {
  for (const url of ['/Browse.ashx?c=local', '/Browse.ashx?c=local&username=nobody']) {
    const body = await browse.get(url);
    assert.match(body, /<title>Local Radio<\/title>/);
    assert.match(body, /text="Europe" URL="[^"]*id=r101217/);
  }
  await using app = browse.with({ places: placesOf({ placeOfAddress }) });
  const unknownCountry = await ask(app, '/Browse.ashx?c=local', { 'x-forwarded-for': '7.7.7.7' });
  assert.match(unknownCountry, /text="Europe"/);
});

test('a genre begins with what is near the caller', async () => {
  await using app = browse.with({ places: placesOf({ placeOfAddress }) });
  const near = await ask(app, '/Browse.ashx?id=g1000', { 'x-forwarded-for': '9.9.9.9' });
  assert.match(near, /<outline text="Local Stations \(1\)" key="local">\n<outline [^\n]*guide_id="s49"/);
  assert.deepEqual(keysOf(near).slice(0, 2), ['local', 'stations']);
  assert.doesNotMatch(await ask(app, '/Browse.ashx?id=g1000'), /key="local"/);
});
