import { createReadStream } from 'node:fs';
import type { Pool } from 'pg';
import { deviceKey } from '../../src/core/accounts/devices/devices.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../src/import/sources/radio-browser/record.ts';
import { testDatabaseWithPlaces, type TestDatabase } from '../../test/database/database.ts';
import { REAL_STATIONS } from '../../test/content/real-data.ts';
import { HABITS } from './listeners.ts';

export const MEMBER_KEY = 'bench'.repeat(10);
export const PARTNER = 'plan';
export const ACCOUNTS = 20_000;
/** Stations that are among presets. */
const POPULAR = 2000;
const TABLES = ['accounts', 'devices', 'folders', 'presets'];

export const serialOf = (account: number): string => `device${account}`;

/** A database of its own with the real stations, and with accounts that a device each has made. */
export async function openWorld(): Promise<TestDatabase> {
  const database = await testDatabaseWithPlaces();
  const items = readRadioBrowser(createReadStream(REAL_STATIONS));
  await importStations({ pool: database.pool, source: 'radio-browser', items });
  await addPartner(database.pool, { id: PARTNER, name: 'npm run bench' });
  await fill(database.pool);
  return database;
}

async function fill(pool: Pool): Promise<void> {
  const keys = memberKeys(MEMBER_KEY);
  const hashes = Array.from(
    { length: ACCOUNTS },
    (_, account) => deviceKey(keys, PARTNER, serialOf(account)).hash,
  );
  await pool.query(`
    INSERT INTO accounts (id, folder_count, preset_count)
      SELECT n, 1, ${HABITS.presets} FROM generate_series(1, ${ACCOUNTS}) n;
    INSERT INTO folders (account_id, id, name, is_default, position, last_position)
      SELECT id, nextval('folder_serials') * 1024 + id % 1024, 'Favorites', true, 1, ${HABITS.presets} FROM accounts`);
  await pool.query(
    `INSERT INTO devices (scope, serial_hash, account_id)
     SELECT '${PARTNER}', hash, n FROM unnest($1::bytea[]) WITH ORDINALITY AS serial (hash, n)`,
    [hashes],
  );
  await pool.query(`
    WITH popular AS (
      SELECT array_agg(id) AS ids FROM (SELECT id FROM stations WHERE listed ORDER BY popularity DESC LIMIT ${POPULAR}) first
    )
    INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, label)
      SELECT account_id, nextval('preset_serials') * 1024 + account_id % 1024, folders.id, place, 's',
        ids[1 + (account_id * 7 + place * 131) % cardinality(ids)], 'Station'
      FROM folders, popular, generate_series(1, ${HABITS.presets}) place`);
  await pool.query('VACUUM ANALYZE');
}

/** Of one account with all that belongs to it, indexes included. */
export async function accountBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    'SELECT sum(pg_total_relation_size(name::regclass))::float8 AS bytes FROM unnest($1::text[]) name',
    [TABLES],
  );
  return (rows[0]?.bytes ?? 0) / ACCOUNTS;
}
