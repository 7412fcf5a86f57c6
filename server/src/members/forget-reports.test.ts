import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { forget } from './forget.ts';

const database = await testDatabase();
const { pool } = database;
after(() => database[Symbol.asyncDispose]());

test('who reported is forgotten after thirty days, and so is what was settled; what is open waits', async () => {
  await pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one');
    INSERT INTO streams (id, station_id, address, address_key) VALUES (7, 1, 'http://x.example', gen_random_uuid());`);
  for (const days of [0, 29, 31, 400])
    await pool.query(
      `INSERT INTO counted_reports (stream_id, is_good, reporter, said_at)
       VALUES (7, false, $1, now() - make_interval(days => $2))`,
      [randomBytes(32), days],
    );
  await pool.query(`
    INSERT INTO reports (kind, address, dedupe_key, state, last_at, message)
    SELECT 'stream', 'x', gen_random_uuid(), state, now() - make_interval(days => days), state || days
    FROM unnest('{open,settled,refused}'::text[]) AS state, unnest('{29,31}'::int[]) AS days`);
  await forget(pool);
  const counted = await pool.query("SELECT FROM counted_reports WHERE said_at > now() - interval '30 days'");
  assert.equal(counted.rowCount, 2);
  assert.equal((await pool.query('SELECT FROM counted_reports')).rowCount, 2);
  const { rows } = await pool.query<{ message: string }>('SELECT message FROM reports');
  assert.deepEqual(rows.map(({ message }) => message).toSorted(), [
    'open29',
    'open31',
    'refused29',
    'settled29',
  ]);
});
