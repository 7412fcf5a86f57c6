import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { dueWithPushes } from './feed-hubs.ts';

test('news in the meantime are read at once; a hub that tells is enough for six hours', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  const CASES: [wanted: string, pushed: string, dueIn: string][] = [
    ['NULL', 'NULL', '1 hour'],
    ["now() - interval '2 days'", 'NULL', '1 hour'],
    ['NULL', "now() + interval '5 days'", '1 hour'],
    ["now() - interval '2 days'", "now() - interval '1 second'", '1 hour'],
    ["now() - interval '2 days'", "now() + interval '5 days'", '6 hours'],
    ["now() - interval '5 seconds'", 'NULL', '-5 seconds'],
    ["now() + interval '50 seconds'", "now() + interval '5 days'", '50 seconds'],
  ];
  for (const [wanted, pushed, dueIn] of CASES) {
    const due = dueWithPushes('f', "now() + interval '1 hour'", "now() - interval '10 seconds'");
    const { rows } = await pool.query<{ is_right: boolean }>(
      `SELECT ${due} = now() + interval '${dueIn}' AS is_right
       FROM (SELECT (${wanted})::timestamptz AS wanted_at, (${pushed})::timestamptz AS pushed_until) f`,
    );
    assert.equal(rows[0]?.is_right, true, `${wanted}, ${pushed}`);
  }
  const { rows } = await pool.query<{ is_right: boolean }>(
    `SELECT ${dueWithPushes('f', "now() + interval '9 hours'", 'now()')} = now() + interval '9 hours' AS is_right
     FROM (SELECT now() - interval '1 day' AS wanted_at, now() + interval '1 day' AS pushed_until) f`,
  );
  assert.equal(rows[0]?.is_right, true, 'what is rarer by itself stays so');
});
