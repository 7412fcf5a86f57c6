import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabaseWithPlaces } from '../../../test/database/database.ts';
import { withImportSession } from '../pipeline/import-lock.ts';
import { importStations } from '../pipeline/import-stations.ts';
import { importAffiliates, saveAffiliates } from './save-affiliates.ts';
import { listAffiliatesOfStation } from '../../../test/database/catalogue/affiliates-of-station.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(() => database[Symbol.asyncDispose]());

const NAMES = ['BBC Radio Town', 'BBC Radio Coast', 'Quay Jazz', 'Quay Rock', 'Quay Folk', 'Lone FM'];

async function* records() {
  for (const [index, name] of NAMES.entries())
    yield {
      record: {
        source: 'test',
        record: `${index}`,
        name,
        address: `http://stream.radio-haven.net/${index}`,
        homepage: name.startsWith('Quay') ? 'https://quay.radio-haven.net/' : undefined,
        countryCode: 'IE',
        languages: [],
        tags: [],
        bitrateKbps: 128,
        hls: false,
        votes: 0,
        clicks: 0,
      },
    };
}
const run = () => importStations({ pool: database.pool, source: 'test', items: records() });

async function networks(): Promise<Record<string, string[]>> {
  const { rows } = await database.pool.query<{ id: number; name: string }>(
    'SELECT id, name FROM stations ORDER BY id',
  );
  const given = rows.map(async ({ id, name }) => {
    const found = await listAffiliatesOfStation(database.pool, id);
    return [name, found.map((affiliate) => affiliate.name)] as const;
  });
  return Object.fromEntries((await Promise.all(given)).filter(([, names]) => names.length > 0));
}

const FOUND = {
  'BBC Radio Town': ['BBC'],
  'BBC Radio Coast': ['BBC'],
  'Quay Jazz': ['Quay'],
  'Quay Rock': ['Quay'],
  'Quay Folk': ['Quay'],
};

test('an import writes the networks that the data names, once', async () => {
  await run();
  assert.deepEqual(await networks(), FOUND);
  await run();
  assert.deepEqual(await networks(), FOUND);
  assert.equal((await withImportSession(database.pool, saveAffiliates)).changed, 0);
});

test('what an operator says takes the place of ours, and imports keep it', async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `SELECT id FROM stations WHERE name = 'Lone FM'`,
  );
  const id = `s${rows[0]?.id}`;
  const given = [
    { name: 'BBC', names: ['BBC Radio Coast'], within: 'Lonely' },
    { name: 'Lonely', stations: [id] },
  ];
  await withImportSession(database.pool, (client) => importAffiliates(client, JSON.stringify(given)));
  const theirs = {
    ...FOUND,
    'BBC Radio Town': [],
    'BBC Radio Coast': ['BBC', 'Lonely'],
    'Lone FM': ['Lonely'],
  };
  const expected = Object.fromEntries(Object.entries(theirs).filter(([, names]) => names.length > 0));
  assert.deepEqual(await networks(), expected);
  await run();
  assert.deepEqual(await networks(), expected);
});

test('what was entered by hand is left alone', async () => {
  await database.pool.query(
    `WITH a AS (INSERT INTO affiliates (name, name_key) VALUES ('By hand', 'by hand') RETURNING id)
     INSERT INTO station_affiliates SELECT s.id, a.id FROM stations s, a WHERE s.name = 'Lone FM'`,
  );
  await run();
  assert.deepEqual((await networks())['Lone FM'], ['By hand', 'Lonely']);
});
