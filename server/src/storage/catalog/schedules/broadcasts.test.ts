import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { listBroadcastsOfShow, listBroadcastsOfStation } from './broadcasts.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one'), (2, 'Two', 'two');
    INSERT INTO shows (id, title) VALUES (5, 'Marathon'), (6, 'News');
    INSERT INTO broadcasts (station_id, show_id, starts_at, ends_at) VALUES
      (1, 5, '2026-01-01T00:00Z', '2026-01-03T00:00Z'),
      (1, 6, '2026-01-03T00:00Z', '2026-01-03T01:00Z'),
      (1, 6, '2026-01-03T01:00Z', '2026-01-03T02:00Z'),
      (2, 6, '2026-01-03T00:00Z', '2026-01-03T01:00Z')`);
});
after(() => database[Symbol.asyncDispose]());

const at = (text: string): Temporal.Instant => Temporal.Instant.from(`2026-01-${text}:00Z`);

const SCHEDULE: [from: string, until: string, titles: string[]][] = [
  ['02T23:59', '03T00:00', ['Marathon']],
  ['02T23:59', '03T00:01', ['Marathon', 'News']],
  ['03T00:00', '03T01:00', ['News']],
  ['03T00:59', '03T01:01', ['News', 'News']],
  ['01T00:00', '04T00:00', ['Marathon', 'News', 'News']],
  ['03T02:00', '04T00:00', []],
  ['01T00:00', '01T00:00', []],
];
for (const [from, until, titles] of SCHEDULE) {
  test(`on air from ${from} until ${until}: ${titles.join(', ') || 'nothing'}`, async () => {
    const range = { from: at(from), until: at(until) };
    const found = await listBroadcastsOfStation(database.pool, 1, range);
    assert.deepEqual(
      found.map(({ title }) => title),
      titles,
    );
  });
}

test('a show’s broadcasts begin with what is on now', async () => {
  const { pool } = database;
  const found = await listBroadcastsOfShow(pool, 6, { from: at('03T00:30'), limit: 10 });
  assert.deepEqual(
    found.map(({ station_id, starts_at }) => [station_id, starts_at.toString()]),
    [
      [1, '2026-01-03T00:00:00Z'],
      [2, '2026-01-03T00:00:00Z'],
      [1, '2026-01-03T01:00:00Z'],
    ],
  );
  assert.equal((await listBroadcastsOfShow(pool, 6, { from: at('03T00:30'), limit: 2 })).length, 2);
  assert.equal((await listBroadcastsOfShow(pool, 5, { from: at('02T23:59'), limit: 2 })).length, 1);
  assert.deepEqual(await listBroadcastsOfShow(pool, 5, { from: at('03T00:00'), limit: 2 }), []);
});

test('a station or show that is not there has no broadcasts', async () => {
  const { pool } = database;
  const from = at('01T00:00');
  const nobody = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(await listBroadcastsOfStation(pool, nobody, { from, until: at('04T00:00') }), []);
  assert.deepEqual(await listBroadcastsOfShow(pool, nobody, { from, limit: 9 }), []);
});
