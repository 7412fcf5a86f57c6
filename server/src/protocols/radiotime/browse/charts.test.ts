import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, linksOf, stationsOf } from '../../../../test/apps/browse-app.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const BERLIN = 'latlon=52.52,13.405';
const countryOf = (id: string): string | undefined =>
  browse.snapshot.stationById.get(Number(id.slice(1)))?.countryCode;

for (const chart of ['popular', 'trending', 'best'])
  test(`c=${chart} begins with the stations of the caller's country, each once over all pages`, async () => {
    const listed: string[] = [];
    let next: string | undefined = `/Browse.ashx?c=${chart}&partnerId=small&${BERLIN}`;
    while (next !== undefined) {
      const body: string = await browse.get(next);
      listed.push(...stationsOf(body));
      next = linksOf(body).find((link) => link.includes('offset='));
    }
    const isHome = listed.map((id) => countryOf(id) === 'DE');
    assert.ok(isHome.filter(Boolean).length > 3, 'the test tells nothing');
    assert.equal(isHome.lastIndexOf(true), isHome.filter(Boolean).length - 1, listed.join(' '));
    assert.equal(new Set(listed).size, listed.length);
    const everywhere = stationsOf(await browse.get(`/Browse.ashx?c=${chart}`));
    assert.notDeepEqual(everywhere.slice(0, 4), listed.slice(0, 4));
  });

test('stations of the country’s language follow, and a filter by language counts alone', async () => {
  const { languageById, stationById } = browse.snapshot;
  const german = [...languageById.values()].find(({ code }) => code === 'de')?.id ?? assert.fail();
  const listed = stationsOf(await browse.get(`/Browse.ashx?c=popular&${BERLIN}`));
  const speaks = listed.map(
    (id) => stationById.get(Number(id.slice(1)))?.languageIds.includes(german) === true,
  );
  const isHome = listed.map((id) => countryOf(id) === 'DE');
  const first = isHome.lastIndexOf(true) + 1;
  assert.equal(speaks[first], true, 'a German one from abroad comes next');
  const filtered = stationsOf(await browse.get(`/Browse.ashx?c=popular&filter=l${german}&${BERLIN}`));
  const anywhere = stationsOf(await browse.get(`/Browse.ashx?c=popular&filter=l${german}`));
  assert.deepEqual(filtered, anywhere);
});

test('a caller who is nowhere may guess the country; whoever is somewhere is believed instead', async () => {
  const first = async (query: string): Promise<string[]> =>
    stationsOf(await browse.get(`/Browse.ashx?c=popular&${query}`)).slice(0, 4);
  const guessed = await first('country=de');
  assert.deepEqual(guessed.map(countryOf), ['DE', 'DE', 'DE', 'DE']);
  assert.deepEqual(await first(`country=FR&${BERLIN}`), await first(BERLIN));
  const anywhere = await first('');
  for (const nonsense of ['country=XX', 'country=Germany', 'country='])
    assert.deepEqual(await first(nonsense), anywhere, nonsense);
  const body = await browse.get('/Browse.ashx?c=popular&partnerId=small&country=DE');
  assert.ok(
    linksOf(body).some((link) => link.includes('offset=') && link.includes('country=DE')),
    'the next page goes on in the same order',
  );
});
