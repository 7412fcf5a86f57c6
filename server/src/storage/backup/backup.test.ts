import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { dropDatabase, onServer, urlOf } from '../../../test/database/database-server.ts';
import { compareContents } from './contents.ts';
import { makeBackup } from './make-backup.ts';
import { type Backup, listBackups, readBackup } from './manifest.ts';
import { findPgTools } from './pg-tools.ts';
import { requireUsable, restoreInto, verifyBackup } from './restore-backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-backups-'));
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO accounts (id, email, latitude) SELECT n, 'radio' || n || '@mail.example', n / 100.0 FROM generate_series(1, 2000) n;
    INSERT INTO member_key (fingerprint) VALUES ('\\x0102')`);
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const backUp = (keep = 7): Promise<Backup> =>
  makeBackup({ databaseUrl: database.url, folder, kind: 'daily', keep, version: 'test' });

async function emptyDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name}`));
  return { url: urlOf(name), [Symbol.asyncDispose]: () => dropDatabase(name) };
}

test('a backup is what the database was at one moment, and only its owner can read it', async () => {
  const { dumpFile, manifest } = await backUp();
  assert.equal(manifest.tables['accounts']?.rows, 2000);
  assert.deepEqual(manifest.keys, ['0102']);
  assert.match(manifest.schema, /^\d{4}_/);
  assert.equal(statSync(dumpFile).mode & 0o777, 0o600);
  assert.equal(statSync(dumpFile).size, manifest.bytes);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  );
  const { rows } = await database.pool.query('SELECT kind, file, bytes, verified_at FROM backups');
  assert.deepEqual(rows, [{ kind: 'daily', file: dumpFile, bytes: manifest.bytes, verified_at: null }]);
});

test('a backup restores into an empty database, row by row, and into no other', async () => {
  const [backup] = listBackups(folder);
  assert.ok(backup);
  await using empty = await emptyDatabase();
  const { rows } = await restoreInto(empty.url, backup);
  assert.ok(rows > 2000);
  await assert.rejects(restoreInto(empty.url, backup), /not empty.*--replace/);
  await onServer(
    (client) => client.query('DROP TABLE presets; DELETE FROM accounts WHERE id > 5'),
    empty.url,
  );
  await restoreInto(empty.url, backup, { isReplaced: true });
  await onServer(async (client) => {
    const { rows: found } = await client.query('SELECT count(*) FROM accounts');
    assert.equal(Number(found[0].count), 2000);
  }, empty.url);
});

test('where pg_restore fails on the way, what was there stays as it was', async () => {
  const [backup] = listBackups(folder);
  assert.ok(backup);
  await using full = await emptyDatabase();
  await restoreInto(full.url, backup);
  const bytes = readFileSync(backup.dumpFile);
  const broken = join(folder, 'broken.dump');
  const newer = Buffer.from(bytes);
  newer[6] = 99;
  for (const [content, complaint] of [
    [newer, /pg_restore failed.*unsupported version/s],
    [bytes.subarray(0, bytes.length * 0.6), /pg_restore failed/],
    [undefined, /pg_restore failed.*could not open/s],
  ] as const) {
    if (content) writeFileSync(broken, content);
    else rmSync(broken);
    const restoring = restoreInto(full.url, { ...backup, dumpFile: broken }, { isReplaced: true });
    await assert.rejects(restoring, complaint);
    const client = new Client({ connectionString: full.url });
    await client.connect();
    const { rows } = await client.query('SELECT count(*)::int AS count FROM accounts');
    await client.end();
    assert.equal(rows[0].count, 2000);
  }
});

test('a connection that breaks while a backup is made fails that backup and nothing else', async () => {
  const cut = setInterval(
    () =>
      void database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'longwave backup' AND datname = current_database()",
      ),
    5,
  );
  try {
    await assert.rejects(backUp());
  } finally {
    clearInterval(cut);
  }
});

test('verifying restores into a scratch database, notes it, and leaves nothing behind', async () => {
  const [backup] = listBackups(folder);
  assert.ok(backup);
  const ofThis = `longwave_verify_${hash('sha256', new URL(database.url).pathname).slice(0, 8)}_`;
  await onServer((client) => client.query(`CREATE DATABASE ${ofThis}left`));
  await verifyBackup(database.url, backup);
  const { rows } = await database.pool.query('SELECT FROM pg_database WHERE starts_with(datname, $1)', [
    ofThis,
  ]);
  assert.equal(rows.length, 0);
  const { rows: noted } = await database.pool.query(
    'SELECT verified_at IS NOT NULL AS is_verified FROM backups',
  );
  assert.deepEqual(noted, [{ is_verified: true }]);
});

test('a backup that was changed, cut short or made by a newer version is refused before anything is done', async () => {
  const good = await backUp();
  const { manifest } = good;
  const newer = { ...good, manifest: { ...manifest, schema: '9999_later.sql', version: '7.0' } };
  await assert.rejects(requireUsable(newer), /9999_later\.sql.*install the version that made it \(7\.0\)/);
  const bytes = readFileSync(good.dumpFile);
  writeFileSync(good.dumpFile, bytes.subarray(0, -10));
  await assert.rejects(verifyBackup(database.url, good), /was changed or copied in part/);
  rmSync(good.manifestFile);
  assert.throws(() => readBackup(good.dumpFile), /\.json is missing beside/);
  rmSync(good.dumpFile);
  assert.throws(() => readBackup(good.dumpFile), /there is no backup/);
});

test('what differs is named', () => {
  const tables = {
    accounts: { rows: 2, sum: '5' },
    presets: { rows: 1, sum: '1' },
    shows: { rows: 0, sum: '0' },
  };
  const found = {
    accounts: { rows: 1, sum: '5' },
    presets: { rows: 1, sum: '2' },
    other: { rows: 0, sum: '0' },
  };
  assert.deepEqual(compareContents(tables, found), [
    'accounts has 1 rows instead of 2',
    'other is not of the backup',
    'presets has other contents',
    'shows is missing',
  ]);
});

test('old backups go, restore points are counted apart, and one backup is made at a time', async () => {
  const made = [await backUp(2), await backUp(2), await backUp(2)];
  assert.deepEqual(
    listBackups(folder).map(({ dumpFile }) => dumpFile),
    [made[2]?.dumpFile, made[1]?.dumpFile],
  );
  await makeBackup({ databaseUrl: database.url, folder, kind: 'restore-point', keep: 1, version: 'test' });
  assert.equal(listBackups(folder).length, 3);
  const spare = relative(process.cwd(), made[1]?.dumpFile ?? '');
  await makeBackup({ databaseUrl: database.url, folder, kind: 'daily', keep: 1, version: 'test', spare });
  assert.ok(
    listBackups(folder).some(({ dumpFile }) => dumpFile === made[1]?.dumpFile),
    'the one that is to be restored stays',
  );
  const outcomes = await Promise.allSettled([backUp(), backUp()]);
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('a missing pg_dump is told with what to install', async () => {
  const newer = { query: () => Promise.resolve({ rows: [{ version: '990001' }] }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only asked for its version
  await assert.rejects(findPgTools(newer as unknown as Client), /apt-get install postgresql-client-99/);
});
