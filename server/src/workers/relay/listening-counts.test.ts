import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { createLog } from '../../lib/log.ts';
import {
  forgetListening,
  listListening,
  type ListeningRow,
} from '../../storage/catalog/streams/relay-listening.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { ListeningCounts } from './listening-counts.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm'), (2, 'Quay', 'quay'), (3, 'Old', 'old'),
      (4, 'Later', 'later')`);
});
after(() => database[Symbol.asyncDispose]());

const MINUTE = 60_000;
const countryOf = (address: string): string | undefined => (address === 'far' ? 'IE' : undefined);
const log = createLog({ level: 'silent' });
const heard = async (stationId: number): Promise<string[]> =>
  (await listListening(database.pool, stationId)).map(
    ({ day, country, sessions, seconds }: ListeningRow) => `${day} ${country} ${sessions} ${seconds}`,
  );

// Days to come: what is over is forgotten after ninety days, which each of these begins with.

test('sessions and their length are written by day and country, also of those that go on', async () => {
  let nowMs = Date.parse('2126-05-01T23:58:00Z');
  const counts = new ListeningCounts({ db: database.pool, log, countryOf, now: () => nowMs });
  const home = counts.begin(1, '192.168.1.5');
  const far = counts.begin(1, 'far');
  counts.begin(2, 'far', false);
  nowMs += MINUTE;
  far[Symbol.dispose]();
  await counts.write();
  assert.deepEqual(await heard(1), ['2126-05-01  1 60', '2126-05-01 IE 1 60']);
  assert.deepEqual(await heard(2), ['2126-05-01 IE 0 60']);
  nowMs += 2 * MINUTE;
  counts.begin(1, 'far')[Symbol.dispose]();
  counts.begin(404, 'far');
  await counts.write();
  nowMs += 1500;
  home[Symbol.dispose]();
  await counts[Symbol.asyncDispose]();
  assert.deepEqual(await heard(1), [
    '2126-05-02  0 121',
    '2126-05-02 IE 1 0',
    '2126-05-01  1 60',
    '2126-05-01 IE 1 60',
  ]);
});

test('nothing is lost while the database is away', async () => {
  let nowMs = Date.parse('2126-05-03T12:00:00Z');
  let isAway = true;
  const query = (...args: Parameters<Queryable['query']>): unknown => {
    if (isAway) throw new Error('away');
    return database.pool.query(...args);
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- as a pool that cannot connect
  const db = { query } as unknown as Queryable;
  await using counts = new ListeningCounts({ db, log, countryOf, now: () => nowMs });
  const session = counts.begin(3, 'far');
  nowMs += MINUTE;
  await counts.write();
  isAway = false;
  nowMs += MINUTE;
  session[Symbol.dispose]();
  await counts.write();
  assert.deepEqual(await heard(3), ['2126-05-03 IE 1 120']);
});

test('a clock that is set forward, or a machine that slept, adds two minutes at most', async () => {
  let nowMs = Date.parse('2126-05-04T12:00:00Z');
  await using counts = new ListeningCounts({ db: database.pool, log, countryOf, now: () => nowMs });
  counts.begin(4, 'far');
  nowMs += 90 * 1440 * MINUTE;
  await counts.write();
  assert.deepEqual(await heard(4), ['2126-08-02 IE 1 120']);
});

test('numbers are kept for ninety days', async () => {
  const { pool } = database;
  await pool.query(`INSERT INTO relay_listening
    SELECT 3, current_date - n, 'AT', 1, 1 FROM unnest(ARRAY[0, 89, 91]) AS n`);
  await forgetListening(pool);
  const { rows } = await pool.query(
    "SELECT current_date - day AS ago FROM relay_listening WHERE country = 'AT' ORDER BY 1",
  );
  assert.deepEqual(
    rows.map(({ ago }) => ago),
    [0, 89],
  );
});
