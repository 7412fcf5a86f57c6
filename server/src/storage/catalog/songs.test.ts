import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { keepSongs, listSongs, pruneSongs } from './songs.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(
    "INSERT INTO stations (id, name, name_key) SELECT n, 'S' || n, 's' || n FROM generate_series(1, 250) n",
  );
});
after(() => database[Symbol.asyncDispose]());
beforeEach(() => database.pool.query('TRUNCATE station_songs'));

const NOON = Date.parse('2026-05-01T12:00:00Z');
const at = (minute: number): number => NOON + minute * 60_000;
const song = (title: string, minute: number, artist?: string, stationId = 1) => ({
  stationId,
  title,
  artist,
  startedAtMs: at(minute),
});
const titles = async (stationId = 1): Promise<string[]> =>
  (await listSongs(database.pool, stationId, 50)).map(({ title }) => title);

test('songs are kept for each station, the latest first', async () => {
  await keepSongs(database.pool, [
    song('One', 0, 'Ann'),
    song('Two', 4),
    { ...song('Other', 1, 'Bob', 2), album: 'Shore' },
  ]);
  assert.deepEqual(await titles(), ['Two', 'One']);
  const [other] = await listSongs(database.pool, 2, 50);
  assert.deepEqual(
    { ...other, started_at: other?.started_at.epochMilliseconds },
    { started_at: at(1), artist: 'Bob', title: 'Other', album: 'Shore' },
  );
});

test('the same song told again is no new row, within a batch and after it', async () => {
  await keepSongs(database.pool, [song('One', 0, 'Ann'), song('One', 1, 'Ann')]);
  await keepSongs(database.pool, [song('One', 2, 'Ann')]);
  assert.deepEqual(await titles(), ['One']);
  await keepSongs(database.pool, [song('One', 3, 'Bob')]);
  await keepSongs(database.pool, [song('One', 6, 'Ann')]);
  assert.deepEqual(await titles(), ['One', 'One', 'One'], 'another artist is another song');
  await keepSongs(database.pool, [song('One', 120, 'Ann')]);
  assert.equal((await titles()).length, 4, 'after an hour it is played again');
});

test('what two tell at the same moment, a station that is gone and texts without end harm nothing', async () => {
  await keepSongs(database.pool, [song('One', 0)]);
  await keepSongs(database.pool, [
    song('Two', 0),
    song('Lost', 0, 'Ann', 99_999),
    song('', 5),
    song('x'.repeat(900), 6, 'y'.repeat(900)),
  ]);
  const [long, first] = await listSongs(database.pool, 1, 50);
  assert.deepEqual([long?.title.length, long?.artist?.length, first?.title], [300, 300, 'One']);
});

const rowsOf = async (stationId: number): Promise<number> =>
  (await database.pool.query(`SELECT FROM station_songs WHERE station_id = ${stationId}`)).rowCount ?? 0;

test('a station keeps its latest hundred songs of a week, whoever writes them', async () => {
  const { pool } = database;
  const songs = Array.from({ length: 130 }, (_, n) => song(`Song ${n}`, n * 4));
  await keepSongs(pool, songs.slice(0, 120));
  assert.equal(await rowsOf(1), 100);
  for (const one of songs.slice(120)) await keepSongs(pool, [one]);
  assert.deepEqual([await rowsOf(1), (await titles())[0]], [100, 'Song 129']);
  await keepSongs(pool, [song('Much later', 8 * 24 * 60)]);
  assert.deepEqual(await titles(), ['Much later']);
});

test('what nobody has heard for a week goes, station by station', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO station_songs (station_id, started_at, title)
     SELECT s, timestamptz '2026-05-01 12:00Z' - n * interval '1 day', 'Song ' || n
     FROM generate_series(1, 250) s, generate_series(0, 9) n`,
  );
  const now = Temporal.Instant.from('2026-05-01T13:00:00Z');
  assert.equal(await pruneSongs(pool, now), 250 * 3);
  assert.deepEqual([await rowsOf(1), await rowsOf(250)], [7, 7]);
  assert.equal(await pruneSongs(pool, now), 0);
  const stopped = AbortSignal.abort();
  assert.equal(await pruneSongs(pool, now.add({ hours: 1000 }), stopped), 0);
});
