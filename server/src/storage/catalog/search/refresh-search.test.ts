import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { transaction } from '../../db/transaction.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { refreshSearch, refreshSearchInSteps } from './refresh-search.ts';
import { editStation } from '../../../../test/database/catalogue/edit-station.ts';
import { bumpCatalogue } from '../stations/version.ts';
import { addShow } from '../../../../test/database/catalogue/add-show.ts';
import { setStreamListed, editCatalogue } from '../../../../test/database/catalogue/edit-catalogue.ts';

let seeded: SeededDirectory;
before(async () => {
  seeded = await seededDirectory();
});
after(() => seeded[Symbol.asyncDispose]());

const rows = async (sql: string, params: unknown[] = []) =>
  (await seeded.database.pool.query(sql, params)).rows;

/** Ids of the items that have a word. */
const having = async (word: string, kind = 's'): Promise<number[]> =>
  (
    await rows(`SELECT item_id FROM search_documents WHERE kind = $1 AND words @@ $2::tsquery ORDER BY 1`, [
      kind,
      `'${word}'`,
    ])
  ).map(({ item_id: id }) => id);

const documents = () =>
  rows('SELECT kind, item_id, name_key, words::text, popularity FROM search_documents ORDER BY 1, 2');

/** The documents as they would be, were all of them made anew. */
async function madeAnew() {
  const was = await documents();
  await transaction(seeded.database.pool, async (client) => {
    await client.query('DELETE FROM search_documents');
    await client.query(
      "INSERT INTO search_stale SELECT 's', id FROM stations UNION ALL SELECT 'p', id FROM shows",
    );
    await refreshSearch(client);
  });
  return { was, anew: await documents() };
}

const aStation = async (): Promise<{ id: number; name: string }> => {
  const [station] = await rows(`SELECT s.id, s.name FROM stations s WHERE s.listed
    AND (SELECT count(*) FROM streams t WHERE t.station_id = s.id) = 1 ORDER BY s.id LIMIT 1`);
  return station;
};

test('an import leaves a document for each station on the air, and nothing to be done', async () => {
  const found = await rows("SELECT item_id FROM search_documents WHERE kind = 's' ORDER BY 1");
  const onAir = seeded.directory.current().stations.map(({ id }) => id);
  assert.deepEqual(
    found.map(({ item_id: id }) => id),
    onAir.toSorted((a, b) => a - b),
  );
  assert.ok(onAir.length > 60);
  assert.deepEqual(await rows('SELECT FROM search_stale'), []);
});

test('a station is found by its new name and no longer by the old one', async () => {
  const { pool } = seeded.database;
  const { id, name } = await aStation();
  await editStation(pool, id, { name: 'Quetzalcoatl Rundfunk' });
  assert.deepEqual(await having('quetzalcoatl'), [id]);
  assert.deepEqual(await rows("SELECT word FROM search_words WHERE word = 'quetzalcoatl'"), [
    { word: 'quetzalcoatl' },
  ]);
  await editStation(pool, id, { name });
  assert.deepEqual(await having('quetzalcoatl'), []);
});

test('what is not listed is not found, and found again when it is', async () => {
  const { pool } = seeded.database;
  const { id } = await aStation();
  const isFound = async (): Promise<boolean> =>
    (await rows("SELECT FROM search_documents WHERE kind = 's' AND item_id = $1", [id])).length === 1;
  await editStation(pool, id, { listed: false });
  assert.equal(await isFound(), false);
  await editStation(pool, id, { listed: true });
  assert.equal(await isFound(), true);
  const [stream] = await rows('SELECT id FROM streams WHERE station_id = $1', [id]);
  await setStreamListed(pool, stream.id, false);
  assert.equal(await isFound(), false, 'its only stream is not listed');
  await setStreamListed(pool, stream.id, true);
  assert.equal(await isFound(), true);
});

test('a genre, a place and a language that are renamed are found by the new names', async () => {
  const { pool } = seeded.database;
  const [station] =
    await rows(`SELECT s.id, s.region_id, s.country_id, g.genre_id, l.language_id FROM stations s
    JOIN station_genres g ON g.station_id = s.id JOIN station_languages l ON l.station_id = s.id
    JOIN regions r ON r.id = s.region_id AND r.kind = 'city' ORDER BY s.id LIMIT 1`);
  const renamed: [table: string, id: number, word: string][] = [
    ['genres', station.genre_id, 'genrenova'],
    ['regions', station.region_id, 'placenova'],
    ['countries', station.country_id, 'countrynova'],
    ['languages', station.language_id, 'languagenova'],
  ];
  for (const [table, id, word] of renamed) {
    assert.deepEqual(await having(word), []);
    await editCatalogue(pool, async (client) => {
      const { rows: changed } = await client.query(
        `UPDATE ${table} SET name = $2 WHERE id = $1 RETURNING id`,
        [id, word],
      );
      return changed;
    });
    assert.ok((await having(word)).includes(station.id), table);
  }
});

test('a show is found by title, hosts and description as soon as its writer is done', async () => {
  const { pool } = seeded.database;
  const id = await addShow(pool, { title: 'Deep Sea Hour', hosts: 'Ada Fathom', description: 'On whales.' });
  for (const word of ['deep', 'fathom', 'whales']) assert.deepEqual(await having(word, 'p'), [id], word);
  await editCatalogue(
    pool,
    async (client) => (await client.query('UPDATE shows SET listed = false RETURNING id')).rows,
  );
  assert.deepEqual(await having('deep', 'p'), []);
});

test('names of signs that are two units in JavaScript and one in PostgreSQL are written down', async () => {
  const { pool } = seeded.database;
  const long = `a${'\u{10428}'.repeat(30)}`;
  for (const title of ['\u{20BB7}野家', `${long} ${long}`]) {
    const id = await addShow(pool, { title });
    assert.deepEqual(
      await rows("SELECT kind FROM search_documents WHERE kind = 'p' AND item_id = $1", [id]),
      [{ kind: 'p' }],
      title,
    );
  }
  assert.deepEqual(await rows('SELECT FROM search_stale'), []);
});

test('a transaction that fails leaves documents as they were', async () => {
  const { pool } = seeded.database;
  const was = await documents();
  const failing = transaction(pool, async (client) => {
    await client.query("UPDATE stations SET name = 'Gone Wrong'");
    await bumpCatalogue(client);
    throw new Error('too late');
  });
  await assert.rejects(failing, /too late/);
  assert.deepEqual(await documents(), was);
  assert.deepEqual(await rows('SELECT FROM search_stale'), []);
});

test('of two transactions that change one station at once, neither undoes the other', async () => {
  const { pool } = seeded.database;
  const { id } = await aStation();
  await using stack = new AsyncDisposableStack();
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  for (const client of clients) stack.defer(() => client.release());
  const [one, other] = clients;
  await one.query('BEGIN');
  await other.query('BEGIN');
  await one.query("UPDATE stations SET name = 'Simultaneous Name' WHERE id = $1", [id]);
  const [free] = await rows(
    `SELECT id, name FROM languages WHERE id NOT IN (SELECT language_id FROM station_languages WHERE station_id = $1)
       AND name ~ '^[A-Za-z]{5,}$' ORDER BY id DESC LIMIT 1`,
    [id],
  );
  await other.query('INSERT INTO station_languages (station_id, language_id, position) VALUES ($1, $2, 99)', [
    id,
    free.id,
  ]);
  await refreshSearch(one);
  const waiting = refreshSearch(other);
  await one.query('COMMIT');
  await waiting;
  await other.query('COMMIT');
  assert.ok((await having('simultaneous')).includes(id));
  assert.ok((await having(free.name.toLowerCase())).includes(id));
});

test('after all of that the documents are what they would be, made anew', async () => {
  const { was, anew } = await madeAnew();
  assert.deepEqual(was, anew);
  assert.ok(anew.length > 60);
});

test('tiers keep their order, the most popular first', async () => {
  const { pool } = seeded.database;
  await transaction(pool, async (client) => {
    await client.query(`INSERT INTO stations (name, name_key, popularity) SELECT 'Tier ' || n, 'tier' || n, n * 7919 % 5003
      FROM generate_series(1, 5000) n`);
    await client.query(`INSERT INTO streams (station_id, address, address_key) SELECT id, 'http://tier.example/' || id,
      md5(id::text)::uuid FROM stations WHERE name LIKE 'Tier %'`);
    await bumpCatalogue(client);
  });
  const tiers =
    await rows(`SELECT tier, count(*)::int AS count, min(popularity) AS low, max(popularity) AS high
    FROM search_documents WHERE kind = 's' GROUP BY tier ORDER BY tier`);
  assert.ok(tiers.length >= 3, JSON.stringify(tiers));
  for (const [index, tier] of tiers.entries())
    if (index > 0) assert.ok(tier.high < tiers[index - 1].low, JSON.stringify(tiers));
  assert.ok(tiers[0].count <= 600 && tiers[0].count > 500, JSON.stringify(tiers[0]));
});

test('step by step the same documents are made, and no step holds what another one indexed', async () => {
  const { pool } = seeded.database;
  const was = await documents();
  // Several marks of each, more than one step takes.
  const mark =
    "INSERT INTO search_stale SELECT 's', id FROM stations, generate_series(1, 40) UNION ALL SELECT 'p', id FROM shows";
  await rows(`TRUNCATE search_documents`);
  await rows(mark);
  const [{ marks }] = await rows('SELECT count(*)::int AS marks FROM search_stale');
  let steps = 0;
  await refreshSearchInSteps((work) => {
    steps += 1;
    return transaction(pool, work);
  });
  assert.ok(steps > marks / 1000, `${steps} transactions for ${marks} marks`);
  assert.deepEqual(await rows('SELECT FROM search_stale'), []);
  assert.deepEqual(await documents(), was);
});
