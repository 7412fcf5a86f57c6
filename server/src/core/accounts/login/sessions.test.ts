import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { PoolClient } from 'pg';
import { type TestDatabase, testDatabase } from '../../../../test/database.ts';
import { waitingForLock } from '../../../../test/waiting-for-lock.ts';
import { changeAccount } from '../account-lifecycle.ts';
import { memberKeys } from '../keys.ts';
import {
  findLink,
  mailedPasswordHashes,
  offerLink,
  redeemLink,
  redeemMailed,
} from '../mail/password-by-mail.ts';
import { offerPassword } from './login-secrets.ts';
import { findSession, openSession } from './sessions.ts';

const keys = memberKeys('one key of at least thirty-two characters');
const now = Temporal.Instant.from('2026-03-01T12:00:00Z');
const OPENED = { accountId: 7, passwordHash: 'old', earlier: undefined, agent: 'a browser', now };

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query('TRUNCATE accounts, usernames, site_sessions CASCADE');
  await database.pool.query(`INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'old');
    INSERT INTO usernames VALUES ('ann', 7)`);
});

/** How many sessions are left when `change` comes while one is begun and not yet written down for all. */
async function leftAfter(change: () => Promise<unknown>): Promise<number> {
  const { pool } = database;
  const client: PoolClient = await pool.connect();
  try {
    await client.query('BEGIN');
    assert.ok(await openSession(client, keys, OPENED));
    const changing = change();
    await waitingForLock(pool, 1, changing);
    await client.query('COMMIT');
    await changing;
  } finally {
    client.release();
  }
  const { rows } = await pool.query('SELECT count(*)::int4 FROM site_sessions');
  return rows[0].count;
}

test('a session that is being begun while the password changes is ended with the others', async () => {
  const changes = { verifiedHash: 'old', sitePasswordHash: 'new' };
  assert.equal(await leftAfter(() => changeAccount(database.pool, 7, changes)), 0);
});

test('the same for a mailed password', async () => {
  const [mailed] = mailedPasswordHashes(keys, 7, 'MAILED234567');
  const offered = mailed.hash;
  await offerPassword(database.pool, { id: 7, offered: mailed, until: now.add({ hours: 1 }) });
  const change = { id: 7, from: 'old', to: 'new', isOfSite: false };
  assert.equal(await leftAfter(() => redeemMailed(database.pool, change, offered)), 0);
});

test('the same for a link', async () => {
  const token = await offerLink(database.pool, keys, { id: 7, now });
  const link = await findLink(database.pool, keys, { username: 'ann', token, now });
  assert.ok(link);
  assert.equal(await leftAfter(() => redeemLink(database.pool, link, { passwordHash: 'new', now })), 0);
});

test('a password that is no longer stored begins nothing and ends nothing', async () => {
  const { pool } = database;
  const earlier = await openSession(pool, keys, OPENED);
  assert.ok(earlier);
  assert.equal(await openSession(pool, keys, { ...OPENED, passwordHash: 'other', earlier }), undefined);
  assert.equal(await findSession(pool, keys, { token: earlier, now }), 7);
  const next = await openSession(pool, keys, { ...OPENED, earlier });
  assert.ok(next);
  assert.equal(await findSession(pool, keys, { token: earlier, now }), undefined);
  assert.equal(await findSession(pool, keys, { token: next, now }), 7);
});

test('a mailed password is used once, and only in the place of the password it was read beside', async () => {
  const { pool } = database;
  const [mailed] = mailedPasswordHashes(keys, 7, 'MAILED234567');
  const offered = mailed.hash;
  await offerPassword(pool, { id: 7, offered: mailed, until: now.add({ hours: 1 }) });
  const change = { id: 7, from: 'old', to: 'new', isOfSite: false };
  assert.equal(await redeemMailed(pool, { ...change, from: 'other' }, offered), false);
  assert.equal(await redeemMailed(pool, { ...change, isOfSite: true }, offered), false);
  assert.equal(await redeemMailed(pool, change, offered), true);
  assert.equal(await redeemMailed(pool, { ...change, from: 'new', to: 'newer' }, offered), false);
  const { rows } = await pool.query('SELECT password_hash, reset_hash FROM accounts WHERE id = 7');
  assert.deepEqual(rows, [{ password_hash: 'new', reset_hash: null }]);
});
