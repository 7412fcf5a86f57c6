import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { MAX_APP_DEVICES, writeAppDevice } from './app-devices.ts';

test('an account has no more devices than it may, however many are told of at once', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'x')");
  const names = Array.from({ length: MAX_APP_DEVICES + 20 }, (_none, number) => `phone ${number}`);
  const written = await Promise.all(names.map((device) => writeAppDevice(pool, 7, { device })));
  assert.equal(written.filter((isWritten) => isWritten).length, MAX_APP_DEVICES);
  const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM app_devices');
  assert.equal(rows[0]?.count, MAX_APP_DEVICES);
  const known = names[written.indexOf(true)] ?? '';
  assert.ok(
    await writeAppDevice(pool, 7, { device: known, caption: 'Mine' }),
    'one that is there can be changed',
  );
});
