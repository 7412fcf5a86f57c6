import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Pool, PoolClient } from 'pg';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { waitingForLock } from '../../../../test/database/waiting-for-lock.ts';
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
import { findSession, type NewSession, openSession } from './sessions.ts';

const OLD_KEY = 'one key of at least thirty-two characters';
const keys = memberKeys(OLD_KEY);
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

const open = (pool: Pool, session: NewSession): Promise<string | undefined> =>
  transaction(pool, (client) => openSession(client, keys, session));

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
  const earlier = await open(pool, OPENED);
  assert.ok(earlier);
  assert.equal(await open(pool, { ...OPENED, passwordHash: 'other', earlier }), undefined);
  assert.equal(await findSession(pool, keys, { token: earlier, now }), 7);
  const next = await open(pool, { ...OPENED, earlier });
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

test('a session that is stored under a new key while the password changes is ended with the others', async () => {
  const { pool } = database;
  const token = await open(pool, OPENED);
  assert.ok(token);
  const next = memberKeys('another key of at least thirty-two characters', OLD_KEY);
  const { fingerprint } = next.writing;
  assert.ok(next.follow({ version: 2, fingerprint, earlier: keys.writing.fingerprint }));
  const [{ hash }] = next.hashes('code', 'session', token);
  const client = await pool.connect();
  try {
    // Whoever stores it under the new key waits here, having taken it from under the old one.
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO site_sessions (token_hash, account_id, created_at, seen_at, expires_at, key_version)
       VALUES ($1, 8, $2, $2, $2, 2)`,
      [hash, now.toString()],
    );
    const found = findSession(pool, next, { token, now });
    await waitingForLock(pool, 1, found);
    const changing = changeAccount(pool, 7, { verifiedHash: 'old', sitePasswordHash: 'new' });
    await waitingForLock(pool, 2, changing);
    await client.query('ROLLBACK');
    await Promise.all([found, changing]);
  } finally {
    client.release();
  }
  assert.equal(await findSession(pool, next, { token, now }), undefined);
});
