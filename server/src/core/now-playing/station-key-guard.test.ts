import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import {
  addStationKey,
  findGivenKey,
  listStationKeys,
  removeStationKey,
} from '../../storage/catalog/stations/station-keys.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { createLog } from '../../lib/log.ts';
import { StationKeyGuard } from './station-key-guard.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'A', 'a')");
});
after(() => database[Symbol.asyncDispose]());

const clock = new ManualClock('2026-05-01T12:00:00Z');
const log = createLog({ level: 'silent' });
const knock = (key: string) => ({ stationId: 1, key, address: '198.51.100.7' });

test('two keys open while one follows the other, and a dropped one no longer', async () => {
  const { pool } = database;
  const keyGuard = new StationKeyGuard({ db: pool, clock, log, freshMs: 0 });
  const [old, next] = [
    (await addStationKey(pool, 1, 'old')) ?? assert.fail(),
    (await addStationKey(pool, 1, 'next')) ?? assert.fail(),
  ];
  await keyGuard.open(knock(old));
  await keyGuard.open(knock(next));
  const { key_hash: hash } = findGivenKey(await listStationKeys(pool, 1), old) ?? assert.fail();
  await removeStationKey(pool, 1, hash);
  await assert.rejects(keyGuard.open(knock(old)), { status: 401, code: 'partner.keyInvalid' });
  await keyGuard.open(knock(next));
});

test('while the database is away a known key still opens, and nobody is counted as wrong', async () => {
  const key = (await addStationKey(database.pool, 1, 'lasting')) ?? assert.fail();
  let isAway = true;
  const db: Queryable = {
    query: (...args: Parameters<Queryable['query']>) =>
      isAway
        ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
        : database.pool.query(...args),
  };
  const keyGuard = new StationKeyGuard({ db, clock, log, freshMs: 0 });
  for (let n = 0; n < 30; n += 1)
    await assert.rejects(keyGuard.open(knock(key)), { code: 'service.unavailable' });
  isAway = false;
  await keyGuard.open(knock(key));
  isAway = true;
  await keyGuard.open(knock(key));
});

test('all addresses of an IPv6 network count as one', async () => {
  const keyGuard = new StationKeyGuard({ db: database.pool, clock, log });
  const guess = (n: number): Promise<unknown> =>
    keyGuard.open({ stationId: 1, key: 'lwk_guess', address: `2001:db8:1:2::${n}` });
  for (let n = 1; n <= 20; n += 1) await assert.rejects(guess(n), { status: 401 });
  await assert.rejects(guess(21), { status: 429, holdMs: 1000 });
});
