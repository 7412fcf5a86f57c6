import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { AccountLeft, lockAccount } from '../accounts.ts';
import { openDevice } from '../devices/devices.ts';
import { removePreset } from './arrange-presets.ts';
import { addFolder, getFolderId, listFolders, removeFolder } from './folders.ts';
import { MAX_FOLDERS, MAX_PRESETS } from './preset-rules.ts';
import type { PresetItem } from './presets.ts';
import { addPreset, setPreset } from './save-preset.ts';

let database: TestDatabase;
let accountId: number;
let folderId: number;
let devices = 0;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  devices += 1;
  accountId = await openDevice(database.pool, {
    scope: 'maker',
    hash: Buffer.alloc(32, devices),
    version: 1,
  });
  folderId = await getFolderId(database.pool, accountId, undefined);
});

const station = (itemId: number): PresetItem => ({ kind: 's', itemId, label: `Station ${itemId}` });
const address = (n: number): PresetItem => ({
  kind: 'u',
  address: `http://mine.example.net/${n}`,
  label: 'Mine',
});
const add = (item: PresetItem, folder?: number): Promise<void> =>
  addPreset(database.pool, accountId, folder, item);
const isLimit = { code: 'preset.limit', status: 400 };

/** What the columns that are kept say beside what there is. */
async function assertTrueCounts(): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT preset_count, folder_count, last_position, presets, folders, coalesce(last, 0) AS last, places
     FROM accounts JOIN folders ON account_id = accounts.id AND folders.id = $2,
       (SELECT count(*) AS presets FROM presets JOIN folders USING (account_id) WHERE account_id = $1
         AND folders.id = folder_id AND removed_at IS NULL) AS p,
       (SELECT count(*) AS folders FROM folders WHERE account_id = $1 AND removed_at IS NULL) AS f,
       (SELECT max(position) AS last, count(DISTINCT position) = count(*) AS places FROM presets
         WHERE account_id = $1 AND folder_id = $2) AS l
     WHERE accounts.id = $1`,
    [accountId, folderId],
  );
  const [row] = rows;
  assert.equal(row.preset_count, row.presets, 'presets');
  assert.equal(row.folder_count, row.folders, 'folders');
  assert.equal(row.last_position, row.last, 'last position');
  assert.equal(row.places, true, 'two presets on one number');
}

test('many at once: each item is there once, each on a number of its own', async () => {
  const items = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? address(n) : station(n)));
  await Promise.all([...items, ...items].map((item) => add(item)));
  const { rows } = await database.pool.query(
    'SELECT position FROM presets WHERE account_id = $1 ORDER BY position',
    [accountId],
  );
  assert.deepEqual(
    rows.map(({ position }) => position),
    Array.from({ length: 60 }, (_, n) => n + 1),
  );
  await assertTrueCounts();
});

test('adding, placing and removing at once keep the counts true', async () => {
  const { pool } = database;
  const work = Array.from({ length: 150 }, (_, n) => {
    if (n % 3 === 0) return add(station(n % 20));
    if (n % 3 === 1)
      return setPreset(pool, accountId, { folderId: undefined, number: 1 + (n % 7) }, station(n % 20));
    return removePreset(pool, accountId, undefined, { kind: 's', itemId: n % 20 });
  });
  await Promise.all(work);
  await assertTrueCounts();
});

test('an account holds so many presets, in all its folders together, and not one more', async () => {
  const { pool } = database;
  const other = await addFolder(pool, accountId, 'Other');
  const fill = Array.from({ length: MAX_PRESETS + 20 }, (_, n) =>
    add(station(n), n % 2 === 0 ? other : undefined).then(
      () => 'added',
      (error: { code: string }) => error.code,
    ),
  );
  const outcomes = await Promise.all(fill);
  assert.equal(outcomes.filter((outcome) => outcome === 'added').length, MAX_PRESETS);
  assert.equal(outcomes.filter((outcome) => outcome === 'preset.limit').length, 20);
  await assert.rejects(setPreset(pool, accountId, { folderId, number: 1 }, station(9999)), isLimit);
  await add(station(outcomes.indexOf('added')), outcomes.indexOf('added') % 2 === 0 ? other : undefined);
  await assertTrueCounts();
  await removeFolder(pool, accountId, other);
  await assertTrueCounts();
  await add(station(9999));
});

test('an account holds so many folders and not one more', async () => {
  const { pool } = database;
  const names = Array.from({ length: MAX_FOLDERS + 5 }, (_, n) => `Folder ${n}`);
  const outcomes = await Promise.allSettled(names.map((name) => addFolder(pool, accountId, name)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 6, 'one is the default folder');
  for (const outcome of refused)
    assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'preset.limit');
  assert.equal((await listFolders(pool, accountId)).length, MAX_FOLDERS);
  await assertTrueCounts();
});

test('one name is one folder, however many ask for it at once', async () => {
  const ids = await Promise.all(
    ['Jazz', 'JAZZ', 'jazz', 'Jazz'].map((name) => addFolder(database.pool, accountId, name)),
  );
  assert.equal(new Set(ids).size, 1);
});

test('nothing is saved into a folder that is removed meanwhile, and nothing is counted', async () => {
  const { pool } = database;
  const other = await addFolder(pool, accountId, 'Other');
  const saving = await transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    // The save has looked at the folders by now, and waits.
    const waiting = add(station(1), other).then(
      () => 'saved',
      (error: { code: string }) => error.code,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    await client.query('UPDATE folders SET removed_at = now() WHERE account_id = $1 AND id = $2', [
      accountId,
      other,
    ]);
    await client.query('UPDATE accounts SET folder_count = folder_count - 1 WHERE id = $1', [accountId]);
    return { waiting };
  });
  assert.equal(await saving.waiting, 'request.folderInvalid');
  await assertTrueCounts();
});

test('nothing is saved in an account that its device has left', async () => {
  const { pool } = database;
  await pool.query('UPDATE accounts SET left_at = now() WHERE id = $1', [accountId]);
  await assert.rejects(add(station(1)), AccountLeft);
  await assert.rejects(setPreset(pool, accountId, { folderId, number: 1 }, station(1)), AccountLeft);
  await assert.rejects(addFolder(pool, accountId, 'Other'), AccountLeft);
  await assertTrueCounts();
});

test('a folder can be made and removed for ever', async () => {
  const { pool } = database;
  await pool.query('UPDATE folders SET position = 1000 WHERE account_id = $1', [accountId]);
  const first = await addFolder(pool, accountId, 'First');
  const second = await addFolder(pool, accountId, 'Second');
  const ids = (await listFolders(pool, accountId)).map(({ id }) => id);
  assert.deepEqual(ids.slice(-2), [first, second]);
});
