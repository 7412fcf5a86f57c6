import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { findAccount, findAccountIdByUsername } from './accounts.ts';
import { findDevice } from './devices/devices.ts';
import { listFolders } from './presets/folders.ts';
import { listPresets } from './presets/presets.ts';

const FIRST = 1024 + 7;
const SECOND = 2 * 1024 + 7;
const HASH = Buffer.alloc(32, 0xab);
const NOBODY = Number.MAX_SAFE_INTEGER;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO accounts (id, username, password_hash, email) VALUES (7, 'Ann', 'secret', 'ann@mail.example');
    INSERT INTO usernames VALUES ('ann', 7);
    INSERT INTO devices (scope, serial_hash, account_id) VALUES ('maker', '\\x${HASH.toString('hex')}', 7);
    INSERT INTO folders (account_id, id, name, is_default, position, removed_at) VALUES
      (7, ${FIRST}, 'Favorites', true, 2, NULL), (7, ${SECOND}, 'News', false, 1, NULL),
      (7, ${3 * 1024 + 7}, 'Gone', false, 3, now());
    INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
      SELECT 7, n * 1024 + 7, ${FIRST}, 11 - n, 's', n, NULL, NULL FROM generate_series(1, 10) n;
    INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label)
      VALUES (7, ${20 * 1024 + 7}, ${SECOND}, 1, 'u', ${20 * 1024 + 7}, 'http://a.example/', 'Mine')`);
});
after(() => database[Symbol.asyncDispose]());

test('an account by its id, without its password', async () => {
  const account = await findAccount(database.pool, 7);
  assert.equal(account?.username, 'Ann');
  assert.doesNotMatch(JSON.stringify(account), /secret/);
  assert.equal(await findAccount(database.pool, NOBODY), undefined);
});

test('a username leads to its account, however it is written', async () => {
  for (const name of ['ann', 'Ann', 'ANN']) {
    assert.equal(await findAccountIdByUsername(database.pool, name), 7);
  }
  for (const name of ['', 'bob', 'ann ', "ann'--"]) {
    assert.equal(await findAccountIdByUsername(database.pool, name), undefined);
  }
});

test('a device is known within its scope', async () => {
  const { pool } = database;
  assert.deepEqual(await findDevice(pool, { scope: 'maker', hash: HASH }), {
    account_id: 7,
    earlier_account_id: null,
    serial_hash: HASH,
    key_version: 1,
  });
  assert.equal(await findDevice(pool, { scope: 'other', hash: HASH }), undefined);
  assert.equal(await findDevice(pool, { scope: 'maker', hash: Buffer.alloc(32) }), undefined);
});

test('folders come in the account’s order, without removed ones', async () => {
  const names = (await listFolders(database.pool, 7)).map(({ name }) => name);
  assert.deepEqual(names, ['News', 'Favorites']);
  assert.deepEqual(await listFolders(database.pool, NOBODY), []);
});

test('presets come folder by folder, each in its order', async () => {
  const { pool } = database;
  const folders = { accountId: 7, folderIds: [SECOND, FIRST] };
  const presets = await listPresets(pool, folders, 100);
  const inFirst = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
  assert.deepEqual(
    presets.map(({ folder_id, item_id }) => [folder_id, item_id]),
    [...inFirst.map((item) => [FIRST, item]), [SECOND, 20 * 1024 + 7]],
  );
  assert.deepEqual(presets.at(-1), {
    folder_id: SECOND,
    position: 1,
    kind: 'u',
    item_id: 20 * 1024 + 7,
    address: 'http://a.example/',
    label: 'Mine',
  });
  assert.equal((await listPresets(pool, folders, 3)).length, 3);
  assert.equal((await listPresets(pool, { ...folders, folderIds: [SECOND] }, 100)).length, 1);
  assert.deepEqual(await listPresets(pool, { ...folders, accountId: NOBODY }, 3), []);
});
