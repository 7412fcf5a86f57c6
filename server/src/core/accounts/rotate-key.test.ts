import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { createLog } from '../../lib/log.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { deviceKey, findDevice, openDevice } from './devices/devices.ts';
import { DeviceDiary } from './devices/device-diary.ts';
import { addPairingCode, linkDevice, redeemPairingCode, unlinkDevice } from './devices/link-device.ts';
import { findKeyState, findKeyTrouble, requireSameKey } from './key-state.ts';
import { type MemberKeys, memberKeys } from './keys.ts';
import { networkHashes, rememberNetwork } from './login/known-networks.ts';
import { findLoginSecrets } from './login/login-secrets.ts';
import { findSession, openSession } from './login/sessions.ts';
import { findLink, offerLink } from './mail/password-by-mail.ts';
import { countUnderOldKey, finishKey, switchKey } from './rotate-key.ts';
import { undoDevice } from './undo.ts';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (word) => `the ${word} key, of at least thirty-two characters`,
);
const now = Temporal.Instant.from('2026-11-17T12:00:00Z');

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO accounts (id, username, password_hash) VALUES (7, 'ann', '1$hash');
    INSERT INTO usernames (username_key, account_id) VALUES ('ann', 7)`);
});
after(() => database[Symbol.asyncDispose]());

const keysOf = async (secret = '', oldSecret?: string): Promise<MemberKeys> => {
  const keys = memberKeys(secret, oldSecret);
  await requireSameKey(database.pool, keys);
  return keys;
};

const stateNow = async () => {
  const state = await findKeyState(database.pool);
  assert.ok(state);
  return state;
};

const within = <T>(work: Parameters<typeof transaction<T>>[1]): Promise<T> =>
  transaction(database.pool, work);

const isKnown = async (keys: MemberKeys): Promise<boolean | undefined> => {
  const hashes = networkHashes(keys, '192.0.2').map(({ hash }) => hash);
  return (await findLoginSecrets(database.pool, { name: 'ann', networkHashes: hashes, now }))?.is_known;
};

test('what was stored under the old key is found under both, and stored again when it is used', async () => {
  const { pool } = database;
  const old = await keysOf(OLD);
  const session = { accountId: 7, passwordHash: '1$hash', earlier: undefined, agent: 'a test', now };
  const token = (await within((client) => openSession(client, old, session))) ?? '';
  const link = await offerLink(pool, old, { id: 7, now });
  await rememberNetwork(pool, { accountId: 7, stored: networkHashes(old, '192.0.2')[0], now });
  await within((client) => linkDevice(client, 7, deviceKey(old, 'maker', 'joined')));

  const both = await keysOf(NEW, OLD);
  assert.equal(both.writing.version, 1, 'prepared: the database still names the old key');
  const early = await addPairingCode(pool, old, deviceKey(old, 'maker', 'early'));
  const late = await addPairingCode(pool, both, deviceKey(both, 'maker', 'late'));
  await switchKey(pool, await stateNow(), memberKeys(NEW ?? '').writing.fingerprint);
  const switched = await keysOf(NEW, OLD);
  assert.equal(switched.writing.version, 2);

  assert.equal(await findSession(pool, both, { token, now }), 7, 'by a server that has not noticed yet');
  assert.equal(await findSession(pool, switched, { token, now }), 7);
  assert.equal(await findSession(pool, both, { token, now }), 7, 'and after it was stored again');
  assert.equal((await findLink(pool, switched, { username: 'ann', token: link, now }))?.accountId, 7);
  assert.equal(await isKnown(switched), true);

  assert.equal(await within((client) => redeemPairingCode(client, switched, early)), undefined);
  const found = await within((client) => redeemPairingCode(client, switched, late));
  assert.ok(found);
  const radio = await openDevice(pool, deviceKey(switched, 'maker', 'late'));
  await within((client) => linkDevice(client, 7, found, { isOneOfSeveral: true }));
  const { rows } = await pool.query(
    'SELECT account_id, earlier_account_id, key_version FROM devices WHERE account_id = 7 ORDER BY 2',
  );
  assert.deepEqual(rows, [
    { account_id: 7, earlier_account_id: radio, key_version: 2 },
    { account_id: 7, earlier_account_id: null, key_version: 1 },
  ]);
});

test('a radio is stored under the new key when it calls, with every copy of its hash', async () => {
  const { pool } = database;
  const both = await keysOf(NEW, OLD);
  const left = await countUnderOldKey(pool, await stateNow());
  assert.deepEqual(left, { passwords: 1, devices: 1, presets: 0, sessions: 0, mailed: 0 });
  const joined = deviceKey(both, 'maker', 'joined');
  await within((client) => unlinkDevice(client, joined, 7));
  await within((client) => undoDevice(client, joined, { isOneOfSeveral: true }));
  {
    await using diary = new DeviceDiary(pool, createLog({ level: 'silent' }), both);
    const call = { at: 1, what: 'Tune s1', status: 200 };
    diary.note({ scope: 'maker', serial: 'joined', partnerId: 'p', profile: 'x', call });
  }
  const stored = await findDevice(pool, { scope: 'maker', hash: joined.hash });
  assert.equal(stored?.key_version, 2);
  const { rows } = await pool.query(
    'SELECT calls FROM account_devices WHERE account_id = 7 AND serial_hash = $1',
    [joined.hash],
  );
  assert.equal(rows[0]?.calls.length, 1, 'the copy moved along, and the call is noted there');
  assert.equal((await countUnderOldKey(pool, await stateNow())).devices, 0);
});

test('keys that do not fit are refused with what to do, and a server that missed the change says 503', async () => {
  const { pool } = database;
  const trouble = async (...keys: [string?, string?]) =>
    (await findKeyTrouble(pool, memberKeys(keys[0] ?? '', keys[1])))?.what;
  assert.match((await trouble(OLD)) ?? '', /replaced by a newer key/);
  assert.match((await trouble(NEW)) ?? '', /MEMBER_KEY_OLD is missing/);
  assert.match((await trouble(OTHER, OLD)) ?? '', /replaced by a newer key/);
  assert.match((await trouble(OTHER)) ?? '', /is not the key this database was used with/);
  await finishKey(pool, await stateNow());
  assert.equal(await trouble(NEW), undefined);
  assert.equal(await trouble(NEW, OLD), undefined, 'a setting that is left over does no harm');
  const behind = memberKeys(OLD ?? '');
  assert.equal(behind.follow(await stateNow()), false);
  assert.throws(() => deviceKey(behind, 'maker', '1'), /restarted/);
});
