import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { listMigrations, listPendingMigrations, migrate } from './migrate.ts';

test('migrating twice applies nothing the second time', async () => {
  await using database = await testDatabase();
  assert.deepEqual(await migrate(database.url), []);
});

test('a migration that fails leaves nothing behind and is applied when mended', async () => {
  await using database = await testDatabase();
  const broken = { name: '9001_x.sql', text: 'CREATE TABLE x (); SELECT no_such_function()', checksum: 'a' };
  await assert.rejects(migrate(database.url, [...listMigrations(), broken]), /9001_x\.sql failed/);
  const mended = { ...broken, text: 'CREATE TABLE x ()' };
  assert.deepEqual(await migrate(database.url, [...listMigrations(), mended]), ['9001_x.sql']);
});

/** As when its server is restarted or fails over. */
const cutMigrators = ({ pool }: TestDatabase) =>
  pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'longwave migrate' AND datname = current_database() AND query LIKE $1`,
    ['%pg_sleep%'],
  );

test('a connection that breaks while a migration runs fails that migration and nothing else', async () => {
  await using database = await testDatabase();
  const slow = { name: '9003_z.sql', text: 'SELECT pg_sleep(300)', checksum: 'c' };
  const cut = setInterval(() => void cutMigrators(database), 50);
  try {
    await assert.rejects(migrate(database.url, [...listMigrations(), slow]), /9003_z\.sql failed/);
  } finally {
    clearInterval(cut);
  }
});

test('a file changed after it was applied is refused', async () => {
  await using database = await testDatabase();
  const changed = listMigrations().map((migration) => ({ ...migration, checksum: 'other' }));
  await assert.rejects(migrate(database.url, changed), /was changed after it was applied/);
});

test('two migrators at once apply each file once', async () => {
  await using database = await testDatabase();
  const extra = { name: '9002_y.sql', text: 'CREATE TABLE y ()', checksum: 'b' };
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, [...listMigrations(), extra])));
  assert.deepEqual(runs.flat(), ['9002_y.sql']);
});

test('what is pending is told, also of a database that has nothing', async () => {
  await using database = await testDatabase();
  assert.deepEqual(await listPendingMigrations(database.pool), []);
  await database.pool.query("DELETE FROM migrations WHERE name LIKE '0005%'");
  assert.deepEqual(await listPendingMigrations(database.pool), ['0005_reports.sql']);
  await database.pool.query('DROP TABLE migrations');
  assert.equal((await listPendingMigrations(database.pool)).length, listMigrations().length);
});

test('squawk finds nothing that would lock a big table', () => {
  const root = join(import.meta.dirname, '../../../..');
  const files = listMigrations().map(({ name }) => join('server/src/storage/db/migrations', name));
  const squawk = join(root, 'node_modules/.bin/squawk');
  const { status, stdout } = spawnSync(squawk, ['--reporter', 'gcc', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});
