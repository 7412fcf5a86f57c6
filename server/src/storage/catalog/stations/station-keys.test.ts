import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import {
  MAX_KEYS,
  addStationKey,
  findGivenKey,
  keyFingerprint,
  listStationKeys,
  noteKeyUse,
  removeStationKey,
} from './station-keys.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'A', 'a'), (2, 'B', 'b')");
});
after(() => database[Symbol.asyncDispose]());

test('a key opens its own station, and is nowhere in the database', async () => {
  const { pool } = database;
  const key = (await addStationKey(pool, 1, 'studio')) ?? assert.fail();
  const next = (await addStationKey(pool, 1, 'automation')) ?? assert.fail();
  await addStationKey(pool, 2, 'other');
  assert.match(key, /^lwk_[\w-]{32}$/);
  const keys = await listStationKeys(pool, 1);
  assert.equal(findGivenKey(keys, key)?.name, 'studio');
  assert.equal(findGivenKey(keys, next)?.name, 'automation');
  for (const wrong of ['', key.slice(0, -1), `${key}x`, key.toUpperCase()])
    assert.equal(findGivenKey(keys, wrong), undefined);
  assert.equal(findGivenKey(await listStationKeys(pool, 2), key), undefined);
  const { rows } = await pool.query('SELECT station_keys::text AS row FROM station_keys');
  assert.equal(rows.length, 3);
  assert.ok(rows.every(({ row }) => !row.includes(key) && !row.includes(Buffer.from(key).toString('hex'))));
});

test('a key that is removed opens nothing, and its use is noted once an hour', async () => {
  const { pool } = database;
  const key = (await addStationKey(pool, 2, 'late')) ?? assert.fail();
  const { key_hash: hash } = findGivenKey(await listStationKeys(pool, 2), key) ?? assert.fail();
  const used = async (): Promise<unknown> =>
    findGivenKey(await listStationKeys(pool, 2), key)?.last_used_at?.toString();
  await noteKeyUse(pool, 2, hash);
  const first = await used();
  assert.ok(first);
  await noteKeyUse(pool, 2, hash);
  assert.equal(await used(), first);
  assert.equal(keyFingerprint({ key_hash: hash }).length, 8);
  assert.equal(await removeStationKey(pool, 1, hash), false, 'of another station');
  assert.equal(await removeStationKey(pool, 2, hash), true);
  assert.equal(await used(), undefined);
});

test('a station has so many keys at most, and what is no station has none', async () => {
  const { pool } = database;
  const had = (await listStationKeys(pool, 1)).length;
  for (let n = had; n < MAX_KEYS; n += 1) assert.ok(await addStationKey(pool, 1, `key ${n}`));
  assert.equal(await addStationKey(pool, 1, 'one more'), undefined);
  assert.equal(await addStationKey(pool, 777, 'nobody'), undefined);
});
