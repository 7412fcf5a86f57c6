import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { countReport } from './stream-reports.ts';

const database = await testDatabase();
const { pool } = database;
after(() => database[Symbol.asyncDispose]());
await pool.query(`
  INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one');
  INSERT INTO streams (id, station_id, address, address_key, reliability)
  VALUES (7, 1, 'http://Stream.Example.net:8000/live', gen_random_uuid(), 90);`);
beforeEach(async () => {
  await pool.query('TRUNCATE stream_checks; TRUNCATE counted_reports');
});

const listener = (): Buffer => randomBytes(32);
const complain = (reporter = listener()): Promise<boolean> =>
  countReport(pool, { streamId: 7, reporter, isGood: false });
const praise = (reporter = listener()): Promise<boolean> =>
  countReport(pool, { streamId: 7, reporter, isGood: true });
const set = (assignments: string): Promise<unknown> => pool.query(`UPDATE stream_checks SET ${assignments}`);

interface Row {
  host: string;
  standing: number;
  is_counted: boolean;
  is_alive: boolean;
  due_in_seconds: number;
}

async function row(): Promise<Row> {
  const { rows } = await pool.query<Row>(
    `SELECT host, round(standing::numeric, 2)::float8 AS standing, changed_at IS NOT NULL AS is_counted,
       alive_at IS NOT NULL AS is_alive, round(extract(epoch FROM next_due_at - now()))::float8 AS due_in_seconds
     FROM stream_checks WHERE stream_id = 7`,
  );
  return rows[0] ?? assert.fail('the stream is not in line for a check');
}

test('a complaint moves what a source said by its weight, and the stream is checked at once', async () => {
  assert.equal(await complain(), true);
  assert.deepEqual(await row(), {
    host: 'stream.example.net',
    standing: 71.1,
    is_counted: true,
    is_alive: false,
    due_in_seconds: 0,
  });
});

test('a stream that was put off is due now', async () => {
  await complain();
  await set("next_due_at = now() + interval '7 days', checked_at = now() - interval '1 day'");
  await complain();
  assert.equal((await row()).due_in_seconds, 0);
});

test('one listener counts once a day', async () => {
  const one = listener();
  assert.deepEqual([await complain(one), await complain(one), await complain(one)], [true, false, false]);
  assert.equal((await row()).standing, 71.1);
  await pool.query("UPDATE counted_reports SET said_at = said_at - interval '25 hours'");
  assert.equal(await complain(one), true);
});

test('three listeners count between two checks, and the third takes any stream below the others', async () => {
  assert.deepEqual(
    [await complain(), await complain(), await complain(), await complain()],
    [true, true, true, false],
  );
  assert.equal((await row()).standing, 44.37);
  await set('checked_at = clock_timestamp()');
  assert.equal(await complain(), true, 'after a check it counts again');
});

test('of many at once three count, each upon the one before', async () => {
  const counted = await Promise.all(Array.from({ length: 20 }, () => complain()));
  assert.equal(counted.filter(Boolean).length, 3);
  assert.equal((await row()).standing, 44.37);
});

test('no check comes within five minutes of the last one, nor of one that began', async () => {
  await complain();
  for (const column of ['checked_at', 'claimed_at']) {
    await set(`checked_at = NULL, claimed_at = NULL, next_due_at = now() + interval '1 day'`);
    await set(`${column} = now() - interval '2 minutes'`);
    await pool.query('TRUNCATE counted_reports');
    await complain();
    const { due_in_seconds: due } = await row();
    assert.ok(due >= 178 && due <= 181, `${column}: due in ${due} s`);
  }
});

test('a stream that is due sooner stays so', async () => {
  await complain();
  await set("checked_at = now(), next_due_at = now() + interval '1 minute'");
  await complain();
  assert.ok((await row()).due_in_seconds <= 60);
});

test('praise counts a little, says that it was heard, and wakes nobody where the last check heard it too', async () => {
  await complain();
  await set("standing = 50, standing_at = now(), verdict = 'plays', next_due_at = now() + interval '1 hour'");
  assert.equal(await praise(), true);
  const { standing, is_alive: isAlive, due_in_seconds: due } = await row();
  assert.deepEqual([standing, isAlive], [52.5, true]);
  assert.ok(due > 3500);
});

test('praise of a stream that was found dead has it checked', async () => {
  await complain();
  await set("verdict = 'dead', standing = 10, standing_at = now(), next_due_at = now() + interval '7 days'");
  await praise();
  assert.equal((await row()).due_in_seconds, 0);
});

test('what nobody would notice is not told to the servers', async () => {
  await complain();
  await set('standing = 95, standing_at = now(), changed_at = NULL');
  await praise();
  assert.deepEqual([(await row()).standing, (await row()).is_counted], [95.25, false]);
  await set('standing = 49.5, standing_at = now()');
  await pool.query('TRUNCATE counted_reports');
  await praise();
  assert.equal((await row()).is_counted, true, 'across the line below which streams come last');
});

test('a stream that is not listed is not put in line for a check', async () => {
  await pool.query('UPDATE streams SET listed = false');
  const isCounted = await complain();
  await pool.query('UPDATE streams SET listed = true');
  assert.equal(isCounted, false);
  assert.equal((await pool.query('SELECT FROM stream_checks')).rowCount, 0);
});

test('a stream that does not exist is nobody’s', async () => {
  assert.equal(await countReport(pool, { streamId: 999, reporter: listener(), isGood: false }), false);
});
