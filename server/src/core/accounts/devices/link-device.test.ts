import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { AccountLeft } from '../accounts.ts';
import { memberKeys } from '../keys.ts';
import { addFolderRow } from '../presets/folders.ts';
import { addPreset } from '../presets/save-preset.ts';
import { type DeviceKey, deviceKey, openDevice } from './devices.ts';
import { unlinkDevice, linkDevice } from './link-device.ts';

const keys = memberKeys('one key of at least thirty-two characters');
const ROUNDS = 20;
const SAVES = 30;
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

/** As a call does: whose device it is, then the save, and once more when the device went to another account between. */
async function save(device: DeviceKey, itemId: number): Promise<void> {
  const accountId = await openDevice(database.pool, device);
  try {
    await addPreset(database.pool, accountId, undefined, { kind: 's', itemId, label: 'Town FM' });
  } catch (error) {
    if (!(error instanceof AccountLeft)) throw error;
    await save(device, itemId);
  }
}

test('what is saved on a device while it is being joined is the account’s afterwards, each once', async () => {
  const { pool } = database;
  for (let round = 0; round < ROUNDS; round++) {
    const id = 1000 + round;
    await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES ($1, $2, 'x')", [
      id,
      `u${round}`,
    ]);
    await addFolderRow(pool, id, { name: 'Favorites', isDefault: true });
    const device = deviceKey(keys, 'maker', `serial ${round}`);
    await save(device, 1);
    const saves = Array.from({ length: SAVES }, (_, n) => save(device, n + 2));
    await transaction(pool, (client) => linkDevice(client, id, device));
    await Promise.all(saves);
    const { rows } = await pool.query(
      'SELECT position, item_id FROM presets WHERE account_id = $1 ORDER BY position',
      [id],
    );
    assert.equal(new Set(rows.map(({ item_id: item }) => item)).size, SAVES + 1, `round ${round}`);
    assert.deepEqual(
      rows.map(({ position }) => position),
      Array.from({ length: SAVES + 1 }, (_, n) => n + 1),
    );
  }
});

test('joins and drops of many at once end, and leave every device with one account that names it', async () => {
  const { pool } = database;
  const devices = Array.from({ length: 4 }, (_, n) => deviceKey(keys, 'maker', `busy ${n}`));
  const accounts = Array.from({ length: 4 }, (_, n) => 1000 + n);
  await pool.query('UPDATE accounts SET device_scope = NULL, device_hash = NULL');
  await pool.query('UPDATE devices SET account_id = NULL');
  await pool.query('DELETE FROM account_devices');
  const unexpected: unknown[] = [];
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'Fault')) unexpected.push(error);
    });
  for (let round = 0; round < 25; round++)
    await Promise.all(
      Array.from({ length: 16 }, (_, n) => {
        const device = devices[(n + round) % 4] ?? devices[0]!;
        const id = accounts[(n * 3 + round) % 4] ?? 1000;
        const isJoin = (n + round) % 3 !== 0;
        return attempt(
          transaction(pool, (client) =>
            isJoin ? linkDevice(client, id, device) : unlinkDevice(client, device, undefined),
          ),
        );
      }),
    );
  assert.deepEqual(unexpected, []);
  const { rows } = await pool.query(
    `WITH a AS MATERIALIZED (SELECT * FROM accounts), d AS MATERIALIZED (SELECT * FROM devices)
     SELECT count(*) FROM a FULL JOIN d ON d.account_id = a.id
     WHERE (a.device_hash IS NOT NULL AND a.device_hash IS DISTINCT FROM d.serial_hash)
        OR (d.account_id IS NOT NULL AND a.username IS NOT NULL AND a.device_hash IS NULL)`,
  );
  assert.equal(rows[0].count, 0);
});
