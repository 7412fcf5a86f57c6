import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PoolClient } from 'pg';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { type TestDatabase, testDatabase } from '../database.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(WORLD);
});
after(() => database[Symbol.asyncDispose]());

/** Account 7 with a default folder and three presets in it; a station with a stream; a show with a topic. */
const FOLDER = 1024 + 7;
const PRESET_COLUMNS = '(account_id, id, folder_id, position, kind, item_id, address)';
const preset = (serial: number, position: number, item: string, folder = FOLDER): string =>
  `INSERT INTO presets ${PRESET_COLUMNS} VALUES (7, ${serial * 1024 + 7}, ${folder}, ${position}, ${item})`;
const TOPIC_COLUMNS = '(show_id, id, shard, title, address, topic_key, published_at)';
const topic = (showId: number, id: number, shard: number, key = 'gen_random_uuid()'): string =>
  `INSERT INTO topics ${TOPIC_COLUMNS} VALUES (${showId}, ${id}, ${shard}, 'T', 'http://t.example/', ${key}, now())`;
const KEY = "'00000000-0000-0000-0000-000000000001'";
const WORLD = `
  INSERT INTO regions (id, kind, code, name) VALUES (0, 'root', 'root', 'World');
  INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm');
  INSERT INTO streams (station_id, address, address_key) VALUES (1, 'http://a.example/', ${KEY});
  INSERT INTO shows (id, title) VALUES (5, 'Late Show'), (6, 'Early Show');
  ${topic(5, 1024 + 5, 5, KEY)};
  INSERT INTO accounts (id) VALUES (7), (8);
  INSERT INTO folders (account_id, id, name, is_default, position) VALUES (7, ${FOLDER}, 'Favorites', true, 1);
  INSERT INTO folders (account_id, id, name, position) VALUES (7, ${2 * 1024 + 7}, 'Other', 2);
  ${[1, 2, 3].map((n) => preset(n, n, `'s', ${n}, NULL`)).join(';')}`;

const folder = (account: number, id: number, isDefault = false): string =>
  `INSERT INTO folders (account_id, id, name, is_default, position) VALUES (${account}, ${id}, 'F', ${isDefault}, 3)`;
const region = (values: string): string =>
  `INSERT INTO regions (id, parent_id, kind, code, name, latitude, longitude) VALUES (${values})`;
const broadcast = (hours: number): string =>
  `INSERT INTO broadcasts VALUES (1, '2026-01-01Z', timestamptz '2026-01-01Z' + interval '${hours} hours', 5)`;

const REFUSED: [what: string, sql: string, why: RegExp][] = [
  [
    'the same item twice in a folder',
    preset(9, 9, "'s', 1, NULL"),
    /presets_account_id_folder_id_kind_item_id_key/,
  ],
  [
    'the same address twice in a folder',
    `${preset(9, 9, `'u', ${9 * 1024 + 7}, 'http://a.example/'`)};
     ${preset(10, 10, `'u', ${10 * 1024 + 7}, 'http://a.example/'`)}`,
    /presets_address/,
  ],
  [
    'more presets than an account may have',
    'UPDATE accounts SET preset_count = 501 WHERE id = 7',
    /few_presets/,
  ],
  [
    'more folders than an account may have',
    'UPDATE accounts SET folder_count = 51 WHERE id = 7',
    /few_folders/,
  ],
  ['fewer presets than none', 'UPDATE accounts SET preset_count = -1 WHERE id = 7', /few_presets/],
  ['a password by mail without an end', "UPDATE accounts SET reset_hash = 'x' WHERE id = 7", /reset_ends/],
  ['a preset in a folder that is not there', preset(9, 9, "'s', 9, NULL", 99 * 1024 + 7), /foreign key/],
  ['a preset at position 0', preset(9, 0, "'s', 9, NULL"), /presets_position_check/],
  ['a preset of an address without one', preset(9, 9, `'u', ${9 * 1024 + 7}, NULL`), /presets_check/],
  ['a preset of a station with an address', preset(9, 9, "'s', 9, 'http://a.example/'"), /presets_check/],
  [
    'a preset of an address that counts as another item',
    preset(9, 9, "'u', 9, 'http://a.example/'"),
    /presets_check/,
  ],
  [
    'a preset whose id has a foreign shard',
    preset(9, 9, "'s', 9, NULL").replace('9223', '9224'),
    /presets_check/,
  ],
  ['a folder whose id has a foreign shard', folder(8, 3 * 1024 + 9), /folders_check/],
  ['a second default folder', folder(7, 3 * 1024 + 7, true), /folders_one_default/],
  ['a topic whose id has a foreign shard', topic(5, 2 * 1024 + 6, 5), /topics_check/],
  ['a topic on a shard that is not its show’s', topic(5, 2 * 1024 + 6, 6), /topics_check/],
  ['a topic of its feed twice', topic(5, 2 * 1024 + 5, 5, KEY), /topic_key/],
  ['a topic id twice under two shows of one shard', topic(5 + 1024, 1024 + 5, 5), /shard_id_key/],
  [
    'a stream address twice',
    `INSERT INTO streams (station_id, address, address_key) VALUES (1, 'http://a.example', ${KEY})`,
    /streams_address_key_key/,
  ],
  ['a region without parent', region("1, NULL, 'continent', 'c', 'C', NULL, NULL"), /regions_check/],
  ['a second root', region("1, NULL, 'root', 'r', 'R', NULL, NULL"), /regions_check/],
  ['a region with half a coordinate', region("1, 0, 'continent', 'c', 'C', 1.5, NULL"), /regions_check/],
  ['a coordinate off the earth', region("1, 0, 'continent', 'c', 'C', 91, 0"), /regions_latitude_check/],
  ['a station with half a coordinate', 'UPDATE stations SET longitude = 1', /stations_check/],
  ['a station without a name', "UPDATE stations SET name = ''", /stations_name_check/],
  ['a format that no radio knows', "UPDATE streams SET format = 'midi'", /streams_format_check/],
  ['a broadcast of no time', broadcast(0), /broadcasts_check/],
  ['a broadcast of three days', broadcast(72), /broadcasts_check/],
  ['a second row of the catalogue’s version', 'INSERT INTO catalogue (version) VALUES (2)', /catalogue_pkey/],
  ['an account with a name and no password', "UPDATE accounts SET username = 'ann'", /accounts_check/],
  [
    'a name with capitals as its key',
    "INSERT INTO usernames VALUES ('Ann', 7)",
    /usernames_username_key_check/,
  ],
  [
    'a serial in place of its hash',
    "INSERT INTO devices VALUES ('x', '0011', 7)",
    /devices_serial_hash_check/,
  ],
  [
    'a report about nothing',
    "INSERT INTO reports (kind, dedupe_key) VALUES ('stream', gen_random_uuid())",
    /reports_check/,
  ],
];
for (const [what, sql, why] of REFUSED) {
  test(`the schema refuses ${what}`, async () => {
    await assert.rejects(database.pool.query(sql), why);
  });
}

const undone = new Error('undone');
/** Runs in a transaction that is rolled back, so that each test finds the same world. */
const trying = (work: (client: PoolClient) => Promise<void>): Promise<void> =>
  transaction(database.pool, async (client) => {
    await work(client);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    throw undone;
  });

test('two presets at one position are refused, and not before the commit', async () => {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query(preset(9, 2, "'s', 9, NULL"));
  await assert.rejects(client.query('COMMIT'), /presets_account_id_folder_id_position/);
  client.release();
});

test('presets shift and swap within one transaction', async () => {
  const shifted = trying(async (client) => {
    await client.query(`UPDATE presets SET position = position + 1 WHERE folder_id = ${FOLDER}`);
    await client.query(preset(9, 1, "'s', 9, NULL"));
    await client.query('UPDATE presets SET position = 5 - position WHERE account_id = 7');
    const { rows } = await client.query('SELECT item_id FROM presets WHERE account_id = 7 ORDER BY position');
    assert.deepEqual(
      rows.map(({ item_id }) => item_id),
      [3, 2, 1, 9],
    );
  });
  await assert.rejects(shifted, undone);
});

test('what is alike but elsewhere is allowed', async () => {
  const allowed = trying(async (client) => {
    await client.query(preset(9, 1, "'s', 1, NULL", 2 * 1024 + 7));
    await client.query(preset(10, 4, `'u', ${10 * 1024 + 7}, 'http://a.example/'`));
    await client.query(preset(11, 5, `'u', ${11 * 1024 + 7}, 'http://a.example/'`, 2 * 1024 + 7));
    await client.query(folder(8, 3 * 1024 + 8, true));
    await client.query(topic(6, 1024 + 6, 6, KEY));
    await client.query(broadcast(48));
  });
  await assert.rejects(allowed, undone);
});

test('a removed default folder makes room for another', async () => {
  const replaced = trying(async (client) => {
    await client.query(`UPDATE folders SET removed_at = now() WHERE id = ${FOLDER}`);
    await client.query(folder(7, 3 * 1024 + 7, true));
  });
  await assert.rejects(replaced, undone);
});
