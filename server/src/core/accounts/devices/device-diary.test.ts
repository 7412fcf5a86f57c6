import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { createLog } from '../../../lib/log.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { memberKeys } from '../keys.ts';
import { addFolderRow } from '../presets/folders.ts';
import { MAX_CALLS } from '../../devices/recent-calls.ts';
import { DeviceDiary } from './device-diary.ts';
import { deviceKey, openDevice } from './devices.ts';
import { linkDevice } from './link-device.ts';

test('of a device the latest calls are kept, however many it makes and however often they are written', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  const keys = memberKeys('one key of at least thirty-two characters');
  await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'x')");
  await addFolderRow(pool, 7, { name: 'Favorites', isDefault: true });
  const device = deviceKey(keys, 'maker', '00:11:22');
  await openDevice(pool, device);
  await transaction(pool, (client) => linkDevice(client, 7, device));
  await using diary = new DeviceDiary(pool, createLog({ level: 'silent' }), keys);
  let at = 0;
  for (const calls of [30, 3, 15]) {
    for (let call = 0; call < calls; call += 1) {
      at += 1;
      const note = { scope: 'maker', serial: '00:11:22', partnerId: 'maker', profile: 'unknown' };
      diary.note({ ...note, call: { at, what: 'Browse', status: 200 } });
    }
    await diary.write();
  }
  const { rows } = await pool.query<{ calls: { at: number }[] }>('SELECT calls FROM account_devices');
  const newestFirst = Array.from({ length: MAX_CALLS }, (_none, place) => at - place);
  assert.deepEqual(
    rows[0]?.calls.map((call) => call.at),
    newestFirst,
  );
});
