import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { runLongwave } from '../../../test/processes/run-longwave.ts';

// What it does where there is Citus is tried in test/drills/saved/distributed-members.test.ts.

test('a PostgreSQL that is not prepared is told what to do first, and is not changed', async () => {
  await using database = await testDatabase();
  const { rows: before } = await database.pool.query('SELECT name FROM migrations ORDER BY name');
  await database.pool.query("DELETE FROM migrations WHERE name LIKE '0047%'");
  const { status, stderr } = runLongwave(['migrate', '--distributed'], { DATABASE_URL: database.url });
  assert.equal(status, 1);
  assert.match(stderr, /nothing was changed: (?:install it|CREATE EXTENSION citus)/);
  assert.match(stderr, /docs\/scale\.md/);
  const { rows: after } = await database.pool.query('SELECT name FROM migrations ORDER BY name');
  assert.equal(after.length, before.length - 1, 'no migration was applied');
});
