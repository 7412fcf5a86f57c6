import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { requireSameKey } from '../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { listBackups } from '../../src/storage/backup/manifest.ts';
import { MEMBER_KEY } from '../apps/account-app.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-backups-'));
let database: TestDatabase;
before(async () => {
  database = await seededDatabase();
  await requireSameKey(database.pool, memberKeys(MEMBER_KEY));
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const longwave = (args: readonly string[], settings: NodeJS.ProcessEnv = {}): Ran =>
  runLongwave(args, { DATABASE_URL: database.url, MEMBER_KEY, BACKUP_FOLDER: folder, ...settings });

const stations = async (): Promise<number> =>
  (await database.pool.query('SELECT count(*)::int AS count FROM stations')).rows[0].count;

test('a backup is made, and put back in place of what is there after a backup of that', async () => {
  const count = await stations();
  const made = longwave(['backup']);
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stdout, new RegExp(`\\.dump: ${count} stations, .*; \\d+ MB\nMEMBER_KEY is not in it`));
  const [backup] = listBackups(folder);
  assert.ok(backup);
  await database.pool.query(
    'DROP TABLE presets; UPDATE stations SET name = $$ruined$$ WHERE name IS NOT NULL',
  );

  const keyless = longwave(['restore', backup.dumpFile, '--replace'], { MEMBER_KEY: '' });
  assert.equal(keyless.status, 1);
  assert.match(keyless.stderr, /MEMBER_KEY is not set.*need the key they were made with.*--without-key/s);
  const misfit = longwave(['restore', backup.dumpFile, '--replace'], { MEMBER_KEY: 'k'.repeat(40) });
  assert.match(misfit.stderr, /MEMBER_KEY is not the key that this backup was made with/);

  const { status, stderr, stdout } = longwave(['restore', backup.dumpFile, '--replace']);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /what was there is in .*-restore-point\.dump\nrestored as of .* equal to the backup/);
  assert.equal(await stations(), count);
  const { rowCount } = await database.pool.query("SELECT FROM stations WHERE name = 'ruined'");
  assert.equal(rowCount, 0);
  const { rows } = await database.pool.query('SELECT file, verified_at FROM backups');
  assert.equal(rows.length, 1, 'it knows what it was restored from');
  assert.equal(rows[0].file, backup.dumpFile);
  assert.ok(rows[0].verified_at);
});

const points = (): string[] => readdirSync(folder).filter((name) => name.endsWith('restore-point.dump'));

test('an upgrade makes a restore point first, and says what it would do before', async () => {
  await database.pool.query("DROP TABLE backups; DELETE FROM migrations WHERE name LIKE '0038%'");
  const looked = longwave(['upgrade', '--check']);
  assert.equal(looked.status, 0, looked.stderr);
  assert.match(looked.stdout, /pending: 0038_backups\.sql: only adds/);
  assert.match(looked.stdout, /MB free for the restore point/);
  const earlier = points().length;
  const missing = longwave(['migrate'], { BACKUP_FOLDER: '/dev/null/nowhere' });
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /no restore point, so nothing was changed/);
  const { status, stdout, stderr } = longwave(['migrate']);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^restore point: .*\.dump$/m);
  assert.match(stdout, /^applied 0038_backups\.sql$/m);
  assert.equal(points().length, earlier + 1);
});

test('a setup that can make no restore point changes nothing, and takes the option that it names', async () => {
  await database.pool.query("DROP TABLE backups; DELETE FROM migrations WHERE name LIKE '0038%'");
  const nowhere = { BACKUP_FOLDER: '/dev/null/nowhere' };
  const refused = longwave(['setup', '--no-stations'], nowhere);
  assert.equal(refused.status, 1);
  const [option = ''] = /--[a-z-]+(?= it is done all the same)/.exec(refused.stderr) ?? [];
  const { rows } = await database.pool.query("SELECT to_regclass('backups') IS NULL AS missing");
  assert.ok(rows[0].missing, 'nothing was changed');
  const { status, stdout, stderr } = longwave(['setup', '--no-stations', option], nowhere);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Schema +brought up to date \(0038_backups\.sql\)$/m);
  assert.doesNotMatch(stderr, /restore point/);
});
