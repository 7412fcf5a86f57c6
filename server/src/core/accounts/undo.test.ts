import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { deviceKey, findDevice, openDevice } from './devices/devices.ts';
import { unlinkDevice, linkDevice } from './devices/link-device.ts';
import { requireSameKey } from './key-state.ts';
import { memberKeys } from './keys.ts';
import { addFolderRow } from './presets/folders.ts';
import { purge } from './retention.ts';
import { undoDevice } from './undo.ts';

const keys = memberKeys('one key of at least thirty-two characters');
const device = deviceKey(keys, 'maker', '00:11:22');
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  const { pool } = database;
  await pool.query('TRUNCATE accounts, devices, device_claims, known_networks CASCADE');
  await pool.query("SELECT setval(pg_get_serial_sequence('accounts', 'id'), 100, false)");
  await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'x')");
  await addFolderRow(pool, 7, { name: 'Favorites', isDefault: true });
});

const within = <T>(work: Parameters<typeof transaction<T>>[1]): Promise<T> =>
  transaction(database.pool, work);
const join = (): Promise<void> => within((client) => linkDevice(client, 7, device));
const drop = (): Promise<void> => within((client) => unlinkDevice(client, device, undefined));
const undo = () => within((client) => undoDevice(client, device));
const ownerNow = async () => (await findDevice(database.pool, device))?.account_id;
const deviceOfAnn = async (): Promise<unknown> =>
  (await database.pool.query('SELECT device_scope FROM accounts WHERE id = 7')).rows[0].device_scope;
const count = async (table: string): Promise<number> =>
  (await database.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count;

async function save(accountId: number, item: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO presets (account_id, id, folder_id, position, kind, item_id)
     SELECT $1, nextval('preset_serials') * 1024 + $1::bigint % 1024, id, $2::integer, 's', $2::integer FROM folders
     WHERE account_id = $1 AND is_default`,
    [accountId, item],
  );
  await database.pool.query('UPDATE accounts SET preset_count = preset_count + 1 WHERE id = $1', [accountId]);
  await database.pool.query(
    'UPDATE folders SET last_position = greatest(last_position, $2::integer) WHERE account_id = $1',
    [accountId, item],
  );
}

const items = async (accountId: number): Promise<number[]> =>
  (
    await database.pool.query('SELECT item_id FROM presets WHERE account_id = $1 ORDER BY position', [
      accountId,
    ])
  ).rows.map(({ item_id: item }) => item);

test('a join is undone: the device has what it had, the account may join another', async () => {
  const anonymous = await openDevice(database.pool, device);
  await save(anonymous, 5);
  await join();
  assert.deepEqual(await undo(), { undone: 'join', username: 'Ann' });
  assert.equal(await ownerNow(), anonymous);
  assert.deepEqual(await items(anonymous), [5]);
  assert.equal(await deviceOfAnn(), null);
  const { rows } = await database.pool.query('SELECT left_at FROM accounts WHERE id = $1', [anonymous]);
  assert.equal(rows[0].left_at, null, 'what was left is forgotten after a month, and this is not');
  await assert.rejects(undo(), /neither joined nor dropped/);
  await join();
});

test('a drop is undone: the account has its device again, with what was saved on it since', async () => {
  await join();
  await save(7, 1);
  await drop();
  assert.equal(await deviceOfAnn(), null);
  await save(await openDevice(database.pool, device), 2);
  assert.deepEqual(await undo(), { undone: 'drop', username: 'Ann' });
  assert.equal(await ownerNow(), 7);
  assert.equal(await deviceOfAnn(), 'maker');
  assert.deepEqual(await items(7), [1, 2]);
});

test('a drop is not undone over another device of the account', async () => {
  await join();
  await drop();
  await within((client) => linkDevice(client, 7, deviceKey(keys, 'maker', 'other')));
  await assert.rejects(undo(), /has another device by now/);
});

test('after thirty days there is nothing to undo', async () => {
  await join();
  await database.pool.query("UPDATE devices SET changed_at = now() - interval '31 days'");
  await assert.rejects(undo(), /in the last 30 days/);
  assert.equal(await ownerNow(), 7);
});

test('what was kept for thirty days is forgotten then, and nothing else, in batches', async () => {
  const { pool } = database;
  const anonymous = await openDevice(pool, device);
  await save(anonymous, 5);
  await join();
  assert.equal(await purge(pool), 0);
  await pool.query("UPDATE accounts SET left_at = now() - interval '31 days' WHERE id = $1", [anonymous]);
  await pool.query(
    `INSERT INTO accounts (id, left_at) SELECT n, now() - interval '40 days' FROM generate_series(10001, 10450) AS n`,
  );
  const removed = await addFolderRow(pool, 7, { name: 'Removed' });
  await pool.query("UPDATE folders SET removed_at = now() - interval '31 days' WHERE id = $1", [removed]);
  await pool.query(
    `INSERT INTO device_claims SELECT decode(lpad(n::text, 64, '0'), 'hex'), 'maker', $1, now() + (n - 2.5) * interval '1 hour'
     FROM generate_series(1, 3) AS n`,
    [device.hash],
  );
  await pool.query(
    `INSERT INTO known_networks SELECT 7, decode(lpad(n::text, 64, '0'), 'hex'), now() - n * interval '20 days'
     FROM generate_series(0, 2) AS n`,
  );
  await purge(pool);
  assert.equal(await count('accounts'), 1);
  assert.equal(await count('known_networks'), 2);
  assert.deepEqual(await items(7), [5], 'what was copied stays');
  assert.equal(await count('folders'), 1);
  assert.equal(await count('presets'), 1);
  const { rows } = await pool.query('SELECT count(*) FROM device_claims WHERE expires_at < now()');
  assert.equal(rows[0].count, 0);
});

test('one process forgets at a time', async () => {
  const holder = await database.pool.connect();
  await holder.query('SELECT pg_advisory_lock(7265330003)');
  assert.equal(await purge(database.pool), undefined);
  await holder.query('SELECT pg_advisory_unlock(7265330003)');
  holder.release();
  assert.equal(await purge(database.pool), 0);
});

test('the first key is the database’s key; another is refused and says what to do', async () => {
  await requireSameKey(database.pool, keys);
  await requireSameKey(database.pool, keys);
  const other = memberKeys('another key of thirty-two characters');
  await assert.rejects(
    requireSameKey(database.pool, other),
    /Set the key that belongs to it, or unset MEMBER_KEY/,
  );
});
