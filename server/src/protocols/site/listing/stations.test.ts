import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fillCatalogue, randomCatalogue } from '../../../../test/content/random-catalogue.ts';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { type SeededDirectory, seededDirectory } from '../../../../test/content/seeded-directory.ts';
import { Listings } from '../../../core/directory/listing/listings.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../../core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { wordsFor } from '../../../core/i18n/words.ts';
import { Finder } from '../../../core/search/finder.ts';
import type { SiteCall } from '../session/site-endpoint.ts';
import type { SiteApiContext } from '../api/deps.ts';
import { answerStations } from './stations.ts';

let database: TestDatabase;
let seeded: SeededDirectory;
let many: Snapshot;
let manyContext: SiteApiContext;
let seededContext: SiteApiContext;

before(async () => {
  database = await testDatabase();
  await fillCatalogue(database.pool, randomCatalogue(5, 400));
  many = await buildSnapshot(database.pool);
  seeded = await seededDirectory();
  manyContext = contextOf(database, many);
  seededContext = contextOf(seeded.database, seeded.directory.current());
});
after(async () => {
  await database?.[Symbol.asyncDispose]();
  await seeded?.[Symbol.asyncDispose]();
});

const contextOf = ({ pool: db }: TestDatabase, snapshot: Snapshot): SiteApiContext => ({
  directory: { current: () => snapshot },
  db,
  aliases: new Aliases(db),
  finder: new Finder(db),
  listings: new Listings(),
  members: undefined,
  admitSuggestion: () => assert.fail('a list takes from no limit'),
  takeFrom: () => assert.fail('a list is for everybody'),
});

interface Page {
  total: number;
  isWhole: boolean;
  next: number | null;
  stations: { id: string; name: string; place?: string; genre?: string; kbits?: number }[];
  filters: Record<
    'country' | 'language' | 'quality' | 'kind',
    { id: string; name?: string; count: number }[]
  >;
}

async function ask(query: string, context = manyContext): Promise<Page> {
  const words = wordsFor('en');
  const caller = { words, address: '192.0.2.1', listenerAddress: '192.0.2.1' };
  // oxlint-disable-next-line no-unsafe-type-assertion -- a list depends on nothing else of a call
  const call = { query: new URLSearchParams(query), caller } as unknown as SiteCall;
  const { json } = await answerStations(call, context);
  // oxlint-disable-next-line no-unsafe-type-assertion -- as docs/site-api.md says
  return json as Page;
}

test('all stations of a place come in pages, the most popular first, each once', async () => {
  const ids: string[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const page: Page = await ask(`in=r0&offset=${offset}`);
    assert.ok(page.stations.length <= 50);
    ids.push(...page.stations.map(({ id }) => id));
    offset = page.next;
  }
  assert.ok(ids.length > 100, `${ids.length}`);
  const world = many.regionById.get(0)!;
  assert.deepEqual(
    ids,
    Array.from(world.ranks, (rank) => `s${many.stations[rank]!.id}`),
  );
});

test('the count beside a filter is how many there are when it is chosen', async () => {
  for (const list of ['in=r0', 'in=r0&quality=128', `in=g${many.topGenres[0]!.id}`]) {
    const { filters } = await ask(list);
    for (const [name, options] of Object.entries(filters)) {
      assert.ok(options.length > 0, name);
      for (const { id, count } of options.slice(0, 6)) {
        const params = new URLSearchParams(list);
        params.set(name, id);
        assert.equal((await ask(params.toString())).total, count, params.toString());
      }
    }
  }
});

test('a search is counted and narrowed down in the same way', async () => {
  const { total, isWhole, stations, filters } = await ask('q=folk', seededContext);
  assert.equal(total, stations.length);
  assert.ok(isWhole && total > 0);
  for (const { id, count } of filters.country)
    assert.equal((await ask(`q=folk&country=${id}`, seededContext)).total, count);
  assert.deepEqual((await ask('q=zzzyyyxxx', seededContext)).stations, []);
});

test('names are in the language of the page', async () => {
  const { filters } = await ask('in=r0&locale=de', seededContext);
  const { filters: english } = await ask('in=r0', seededContext);
  const [country] = english.country;
  assert.equal(
    filters.country.find(({ id }) => id === country?.id)?.name,
    new Intl.DisplayNames('de', { type: 'region' }).of(country?.id ?? ''),
  );
});

test('what cannot be listed is refused, and an unknown place is empty', async () => {
  for (const query of ['', 'in=', 'in=s1', 'in=r1,r2', 'in=x', 'in=r0&offset=-1', 'in=r0&offset=9999999999'])
    await assert.rejects(ask(query), { status: 400 }, query);
  assert.equal((await ask('in=r999999')).total, 0);
  assert.equal((await ask('in=r0&country=ZZ')).total, 0);
  assert.equal((await ask('in=r0&kind=__proto__')).total, 0);
});
