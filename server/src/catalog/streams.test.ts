import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { listStreamsOfStation, setStreamListed } from './streams.ts';
import { catalogueVersion } from './version.ts';

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
