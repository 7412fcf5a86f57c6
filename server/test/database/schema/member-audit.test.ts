import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestDatabase } from '../database.ts';
import { testDatabase } from '../database.ts';
import { AUDITED, auditMembers } from './member-audit.ts';

const HASH = "decode(repeat('ab', 32), 'hex')";

/** A named account with a radio, and an anonymous one behind another. */
const SOUND = `
  INSERT INTO accounts (id, username, password_hash, preset_count, folder_count) VALUES (7, 'Ann', 'x', 1, 1);
  INSERT INTO accounts (id, folder_count) VALUES (8, 1);
  INSERT INTO usernames VALUES ('ann', 7);
  INSERT INTO folders (account_id, id, name, is_default, position, last_position)
    VALUES (7, 1031, 'Favorites', true, 1, 1), (8, 1032, 'Favorites', true, 1, 0);
  INSERT INTO presets (account_id, id, folder_id, position, kind, item_id) VALUES (7, 1031, 1031, 1, 's', 1);
  INSERT INTO devices (scope, serial_hash, account_id) VALUES ('maker', ${HASH}, 7);
  INSERT INTO account_devices (account_id, scope, serial_hash) VALUES (7, 'maker', ${HASH});
  INSERT INTO devices (scope, serial_hash, account_id) VALUES ('other', ${HASH}, 8);`;

/** What makes each flaw, on the sound ones. */
const FLAWS: Readonly<Record<string, string>> = {
  'counts another number of presets than it has': 'UPDATE accounts SET preset_count = 2 WHERE id = 7',
  'counts another number of folders than it has': 'UPDATE accounts SET folder_count = 2 WHERE id = 8',
  'has a folder that ends elsewhere than at its last preset': 'UPDATE folders SET last_position = 5',
  'has no folder to save in': 'UPDATE folders SET is_default = false WHERE account_id = 8',
  'has two folders of one name': `INSERT INTO folders (account_id, id, name, position) VALUES (8, 2056, 'FAVORITES', 2)`,
  'has more than it may': `INSERT INTO account_devices (account_id, scope, serial_hash)
    SELECT 8, n::text, ${HASH} FROM generate_series(1, 51) n`,
  'is of nobody': "DELETE FROM devices WHERE scope = 'other'",
  'is not found by its name': 'DELETE FROM usernames',
  'shows a device that is another’s': "UPDATE devices SET account_id = 8 WHERE scope = 'maker'",
  'does not show a device that it has': 'DELETE FROM account_devices',
  'is not there, and devices leads to it': "UPDATE devices SET account_id = 99 WHERE scope = 'other'",
  'is not there, and usernames leads to it': "INSERT INTO usernames VALUES ('bo', 99)",
  'is not there, and emails leads to it': "INSERT INTO emails VALUES ('bo@mail.example', 99)",
  'is not there, and site_sessions leads to it': `INSERT INTO site_sessions (token_hash, account_id, created_at, seen_at, expires_at)
    VALUES (${HASH}, 99, now(), now(), now())`,
  'is not there, and app_passwords leads to it': `INSERT INTO app_passwords (secret_hash, account_id, app, sealed, key_version)
    VALUES (${HASH}, 99, 'Phone', 'x', 1)`,
  'is not there, and app_devices leads to it': "INSERT INTO app_devices VALUES (99, 'd', 'D', 'mobile')",
  'is not there, and feed_subscriptions leads to it': `INSERT INTO feed_subscriptions
    VALUES (99, gen_random_uuid(), 'http://feed.example/', NULL, false, 1)`,
  'is not there, and episode_actions leads to it': `INSERT INTO episode_actions
    VALUES (99, gen_random_uuid(), 'd', 'play', 'p', 'e', now(), 0, 0, 0, 1)`,
  'is not there, and list_tokens leads to it': `INSERT INTO list_tokens (token_hash, account_id) VALUES (${HASH}, 99)`,
};

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(SOUND);
});
after(() => database[Symbol.asyncDispose]());

test('sound accounts are found sound, and there is a flaw for each question', async () => {
  assert.deepEqual(await auditMembers(database.pool), []);
  assert.deepEqual(Object.keys(FLAWS), AUDITED);
});

test('every flaw is found', async (t) => {
  for (const [what, statement] of Object.entries(FLAWS))
    await t.test(what, async () => {
      const client = await database.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(statement);
        const found = await auditMembers(client);
        assert.ok(
          found.some((flaw) => flaw.endsWith(` ${what}`)),
          `${what}: ${JSON.stringify(found)}`,
        );
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    });
});
