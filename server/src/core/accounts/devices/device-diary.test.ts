import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { testDatabase } from '../../../../test/database/database.ts';
import { waitingForLock } from '../../../../test/database/waiting-for-lock.ts';
import { createLog } from '../../../lib/log.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { memberKeys } from '../keys.ts';
import { addFolderRow } from '../presets/folders.ts';
import { MAX_CALLS } from '../../devices/recent-calls.ts';
import { DeviceDiary } from './device-diary.ts';
import { deviceKey, openDevice } from './devices.ts';
import { linkDevice } from './link-device.ts';

const KEYS = memberKeys('one key of at least thirty-two characters');
const log = createLog({ level: 'silent' });

const SERIAL = '00:11:22';

/** Devices, linked to one account. */
async function linked(pool: Pool, serials = [SERIAL]): Promise<void> {
  await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'x')");
  await addFolderRow(pool, 7, { name: 'Favorites', isDefault: true });
  for (const device of serials.map((serial) => deviceKey(KEYS, 'maker', serial))) {
    await openDevice(pool, device);
    await transaction(pool, (client) => linkDevice(client, 7, device, { isOneOfSeveral: true }));
  }
}

function note(diary: DeviceDiary, at: number, serial = SERIAL): void {
  const noted = { scope: 'maker', serial, partnerId: 'maker', profile: 'unknown' };
  diary.note({ ...noted, call: { at, what: 'Browse', status: 200 } });
}

async function written(pool: Pool): Promise<number[] | undefined> {
  const { rows } = await pool.query<{ calls: { at: number }[] }>('SELECT calls FROM account_devices');
  return rows[0]?.calls.map(({ at }) => at);
}

test('of a device the latest calls are kept, however many it makes and however often they are written', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await linked(pool);
  await using diary = new DeviceDiary(pool, log, KEYS);
  let at = 0;
  for (const calls of [30, 3, 15]) {
    for (let call = 0; call < calls; call += 1) note(diary, (at += 1));
    await diary.write();
  }
  const newestFirst = Array.from({ length: MAX_CALLS }, (_none, place) => at - place);
  assert.deepEqual(await written(pool), newestFirst);
});

test('what is noted while others are being written comes before them all the same', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await linked(pool);
  const held = Promise.withResolvers<void>();
  let isFirst = true;
  // The first thing that is asked of the database takes longer than what follows.
  const slow = new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      const wait = isFirst ? held.promise : Promise.resolve();
      isFirst = false;
      return (...given: Parameters<Pool['query']>) => wait.then(() => target.query(...given));
    },
  });
  await using diary = new DeviceDiary(slow, log, KEYS);
  note(diary, 1);
  const first = diary.write();
  note(diary, 2);
  const second = diary.write();
  const early = await Promise.race([second.then(() => 'written'), sleep(500, 'waits')]);
  held.resolve();
  await Promise.all([first, second]);
  assert.deepEqual([early, await written(pool)], ['waits', [2, 1]]);
});

test('what was searched for is kept, also where it has a NUL or was cut in the middle of a character', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await linked(pool);
  await using diary = new DeviceDiary(pool, log, KEYS);
  const noted = { scope: 'maker', serial: '00:11:22', partnerId: 'maker', profile: 'unknown' };
  for (const [at, query] of ['jazz\ud83d', 'ja\0zz'].entries())
    diary.note({ ...noted, call: { at, what: 'Search', status: 200, query } });
  await diary.write();
  const { rows } = await pool.query<{ calls: { query: string }[] }>('SELECT calls FROM account_devices');
  assert.deepEqual(
    rows[0]?.calls.map(({ query }) => query),
    ['jazz', 'jazz\ufffd'],
  );
});

/** So many devices of other accounts that PostgreSQL looks each up by its key. */
async function addOthers(pool: Pool): Promise<void> {
  await pool.query(
    "INSERT INTO accounts (id, username, password_hash) SELECT id, 'other' || id, 'x' FROM generate_series(1001, 6000) AS id",
  );
  for (const table of ['devices', 'account_devices'])
    await pool.query(
      `INSERT INTO ${table} (account_id, scope, serial_hash)
       SELECT id, 'maker', sha256(id::text::bytea) FROM generate_series(1001, 6000) AS id`,
    );
  await pool.query('ANALYZE devices, account_devices');
}

const hold = (client: PoolClient, serial: string) =>
  client.query('SELECT FROM account_devices WHERE account_id = 7 AND serial_hash = $1 FOR UPDATE NOWAIT', [
    deviceKey(KEYS, 'maker', serial).hash,
  ]);

test('two processes write the same devices in the same order, whichever called first', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  const [first = '', second = ''] = [SERIAL, '00:11:33'].toSorted((a, b) =>
    deviceKey(KEYS, 'maker', a).hash.compare(deviceKey(KEYS, 'maker', b).hash),
  );
  await linked(pool, [first, second]);
  await addOthers(pool);
  await using diary = new DeviceDiary(pool, log, KEYS);
  note(diary, 1, second);
  note(diary, 2, first);
  let writing = Promise.resolve();
  // As another process that has written the first, and comes to the second.
  await transaction(pool, async (client) => {
    await hold(client, first);
    writing = diary.write();
    await waitingForLock(pool, 1, writing);
    await hold(client, second);
  });
  await writing;
});
