import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deviceKey, findDevice } from '../../src/core/accounts/devices/devices.ts';
import { linkDevice } from '../../src/core/accounts/devices/link-device.ts';
import { requireSameKey } from '../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { addFolderRow } from '../../src/core/accounts/presets/folders.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const MEMBER_KEY = 'one key of at least thirty-two characters';
const keys = memberKeys(MEMBER_KEY);

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await addPartner(database.pool, { id: 'maker', name: 'A maker' });
  await requireSameKey(database.pool, keys);
});
after(() => database[Symbol.asyncDispose]());

function longwave(args: string[], settings: NodeJS.ProcessEnv = {}): Ran {
  const own = { DATABASE_URL: database.url, MEMBER_KEY, HTTP_PORT: '0', PRIVATE_PORT: '0' };
  return runLongwave(args, { ...own, ...settings });
}

test('a new key is long, random and taken as a setting', () => {
  const [first, second] = [longwave(['config', 'key']), longwave(['config', 'key'])];
  assert.match(first.stdout, /^[\w-]{43}\n$/);
  assert.notEqual(first.stdout, second.stdout);
  const config = longwave(['config'], { MEMBER_KEY: first.stdout.trim() });
  assert.match(config.stdout, /MEMBER_KEY\s+\*\*\*\n/);
  assert.equal(longwave(['config', 'other']).status, 2);
});

test('the last join of a device is undone by its serial', async () => {
  const { pool } = database;
  await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'x')");
  await addFolderRow(pool, 7, { name: 'Favorites', isDefault: true });
  const device = deviceKey(keys, 'maker', '0011');
  await transaction(pool, (client) => linkDevice(client, 7, device));
  const undo = ['device', 'undo', '--partner', 'maker', '--serial'];
  const other = longwave([...undo, '0012']);
  assert.deepEqual(
    [other.status, other.stderr],
    [1, 'longwave: this device was neither joined nor dropped in the last 30 days\n'],
  );
  const done = longwave([...undo, '00:11']);
  assert.equal(done.stdout, 'the join is undone: the device no longer belongs to Ann\n', done.stderr);
  assert.equal((await findDevice(pool, device))?.account_id, null);
});

test('what is missing or wrong is told', () => {
  assert.equal(longwave(['device', 'undo']).status, 2);
  const stranger = longwave(['device', 'undo', '--partner', 'stranger', '--serial', '1']);
  assert.match(stranger.stderr, /no partner stranger; longwave partner list/);
  const keyless = longwave(['device', 'undo', '--partner', 'maker', '--serial', '1'], { MEMBER_KEY: '' });
  assert.match(keyless.stderr, /MEMBER_KEY is not set/);
});

test('no command and no service works with a key that is not the database’s', () => {
  const settings = { MEMBER_KEY: 'another key of at least thirty-two characters' };
  for (const args of [['serve'], ['device', 'undo', '--partner', 'maker', '--serial', '1']]) {
    const { status, stderr } = longwave(args, settings);
    assert.equal(status, 1);
    assert.match(stderr, /MEMBER_KEY is not the key this database was used with/);
  }
});
