import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../../test/database/database.ts';
import { listStreamsOfStation, listStreamsToHear } from './streams.ts';
import { catalogueVersion, setStreamListed } from '../../../../test/database/catalogue/edit-catalogue.ts';

test('streams come best first, and hiding one is an edit by hand', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one'), (2, 'Two', 'two');
    INSERT INTO streams (id, station_id, address, address_key, bitrate, reliability, last_seen) VALUES
      (1, 1, 'http://a.example/', gen_random_uuid(), 64, 90, NULL),
      (2, 1, 'http://b.example/', gen_random_uuid(), 128, 90, '2026-02-28'),
      (3, 1, 'http://c.example/', gen_random_uuid(), 320, 10, NULL),
      (4, 2, 'http://d.example/', gen_random_uuid(), 320, 99, NULL)`);
  const earlier = await catalogueVersion(pool);
  assert.equal(await setStreamListed(pool, 2, false), true);
  assert.equal(await setStreamListed(pool, 2, false), true);
  assert.equal(await setStreamListed(pool, Number.MAX_SAFE_INTEGER, false), false);
  assert.equal(await catalogueVersion(pool), earlier + 2);
  const streams = await listStreamsOfStation(pool, 1);
  assert.deepEqual(
    streams.map(({ id, listed, pinned, last_seen }) => ({ id, listed, pinned, last_seen })),
    [
      { id: 2, listed: false, pinned: ['listed'], last_seen: '2026-02-28' },
      { id: 1, listed: true, pinned: [], last_seen: null },
      { id: 3, listed: true, pinned: [], last_seen: null },
    ],
  );
  assert.deepEqual(await listStreamsOfStation(pool, Number.MAX_SAFE_INTEGER), []);
});

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one'), (2, 'Two', 'two'), (3, 'Three', 'three');
    INSERT INTO streams (id, station_id, address, address_key, reliability, bitrate, listed)
    SELECT id, station_id, 'http://a.example.net/' || id, gen_random_uuid(), reliability, bitrate, listed
    FROM (VALUES (11, 1, 90, 320, true), (12, 1, 90, 64, true), (13, 1, 95, 128, true), (14, 1, 99, 128, true),
      (15, 1, 10, 32, true), (16, 1, 100, 128, false), (21, 2, 50, 128, true)) AS s (id, station_id, reliability, bitrate, listed);
    INSERT INTO stream_checks (stream_id, host, next_due_at, verdict, standing, standing_at)
    VALUES (14, 'a.example.net', now(), 'dead', 5, now()), (13, 'a.example.net', now(), 'plays', 60, now()),
      (21, 'a.example.net', now(), 'dead', 1, now())`);
});
after(() => database[Symbol.asyncDispose]());

test('of each station the three best: what was heard to play first, then the reliable, then the small', async () => {
  const found = await listStreamsToHear(database.pool, [2, 1, 3, 4]);
  const ids = (stationId: number) => found.get(stationId)?.map(({ id }) => id);
  assert.deepEqual(
    ids(1),
    [12, 11, 13],
    'what was measured counts before what was told, and what is hidden not at all',
  );
  assert.deepEqual(ids(2), [21], 'a dead one is better than none');
  assert.deepEqual([ids(3), ids(4)], [undefined, undefined]);
});

test('nobody is asked about: nothing is found', async () => {
  assert.equal((await listStreamsToHear(database.pool, [])).size, 0);
});
