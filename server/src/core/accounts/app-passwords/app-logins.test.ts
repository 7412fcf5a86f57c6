import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MEMBER_KEY } from '../../../../test/apps/account-app.ts';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';
import { Refusal } from '../../../lib/fault.ts';
import { memberKeys } from '../keys.ts';
import { AppLogins } from './app-logins.ts';
import {
  addAppPassword,
  listAppPasswords,
  MAX_APP_PASSWORDS,
  removeAppPassword,
  resealAppPasswords,
} from './app-passwords.ts';

const keys = memberKeys(MEMBER_KEY);
const ANN = 7;
const HOME = '192.0.2.1';
let database: TestDatabase;
let clock: ManualClock;
let phone: { id: number; password: string };

before(async () => {
  database = await testDatabase();
  await database.pool.query(
    `INSERT INTO accounts (id, username, password_hash) VALUES (${ANN}, 'Ann', 'none'), (8, 'Bo', 'none'), (9, NULL, NULL);
     INSERT INTO usernames (username_key, account_id) VALUES ('ann', ${ANN}), ('bo', 8)`,
  );
  clock = new ManualClock('2026-04-02T08:00:00Z');
  phone = await added();
});
after(() => database?.[Symbol.asyncDispose]());

async function added(accountId = ANN, app = 'phone'): Promise<{ id: number; password: string }> {
  const made = await addAppPassword(database.pool, keys, { accountId, app });
  return made ?? assert.fail('no password was made');
}
/** A process of its own, with nothing kept. */
const process = (): AppLogins => new AppLogins({ db: database.pool, keys, clock });
const md5 = (text: string): string => hash('md5', text, 'hex');

test('one password serves every way in, and names its account', async () => {
  const login = { accountId: ANN, username: 'Ann', appId: phone.id };
  const { password } = phone;
  assert.match(password, /^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  const logins = process();
  for (const credentials of [
    { username: 'ann', password },
    { username: 'ANN', password: ` ${password.toUpperCase()}` },
    { username: 'ann', token: md5(`${password}c19b2d`), salt: 'c19b2d' },
    { username: 'ann', token: md5(password).toUpperCase(), salt: '' },
    { secret: password },
    { session: logins.sessionOf(login) },
  ])
    assert.deepEqual(await logins.verify(credentials, HOME), login, JSON.stringify(Object.keys(credentials)));
  const [{ used_at: used } = assert.fail()] = await listAppPasswords(database.pool, ANN);
  assert.equal(used?.toString(), '2026-04-02T08:00:00Z');
});

test('what is wrong opens nothing', async () => {
  const logins = process();
  const { password } = phone;
  const session = logins.sessionOf({ accountId: ANN, username: 'Ann', appId: phone.id });
  const other = await added(8);
  for (const credentials of [
    { username: 'bo', password },
    { username: 'nobody', password },
    { username: 'ann', password: '' },
    { username: 'ann', token: md5(`${password}salt`), salt: 'other' },
    { username: 'ann', token: md5(`${other.password}salt`), salt: 'salt' },
    { username: 'ann', token: '', salt: '' },
    { secret: '' },
    { secret: `${password}x` },
    { session: session.replace(/^\d+/, '8') },
    { session: session.replace(/\.\d+\./, `.${other.id}.`) },
    { session: `${session.slice(0, -1)}${session.endsWith('A') ? 'B' : 'A'}` },
    { session: '' },
  ])
    // From many places, so that no limit has a say.
    assert.equal(
      await process().verify(credentials, `198.51.100.${Math.floor(Math.random() * 250)}`),
      undefined,
      JSON.stringify(credentials),
    );
});

test('a password that is revoked, or whose account is closed, ends within half a minute in every process', async () => {
  const { id, password } = await added();
  const credentials = { username: 'ann', password };
  const [here, there] = [process(), process()];
  const session = { session: here.sessionOf({ accountId: ANN, username: 'Ann', appId: id }) };
  for (const logins of [here, there]) assert.ok(await logins.verify(credentials, HOME));
  assert.ok(await here.verify(session, HOME));
  assert.equal(await removeAppPassword(database.pool, 8, id), false, "nobody ends another's");
  assert.equal(await removeAppPassword(database.pool, ANN, id), true);
  clock.advance({ seconds: 31 });
  for (const logins of [here, there]) assert.equal(await logins.verify(credentials, HOME), undefined);
  assert.equal(await here.verify(session, HOME), undefined);
  const right = { username: 'ann', password: phone.password };
  await database.pool.query(`UPDATE accounts SET closed_at = now() WHERE id = ${ANN}`);
  assert.equal(await process().verify(right, HOME), undefined);
  await database.pool.query(`UPDATE accounts SET closed_at = NULL WHERE id = ${ANN}`);
  assert.ok(await process().verify(right, HOME));
});

test('a session ends after thirty days', async () => {
  const logins = process();
  const session = { session: logins.sessionOf({ accountId: ANN, username: 'Ann', appId: phone.id }) };
  clock.advance({ hours: 24 * 30 - 1 });
  assert.ok(await logins.verify(session, HOME));
  clock.advance({ hours: 2 });
  assert.equal(await logins.verify(session, HOME), undefined);
});

test('wrong passwords are counted by name and address; the right one comes in all the same', async () => {
  const logins = process();
  const wrong = async (username: string, address: string): Promise<string> => {
    const password = `wrong${Math.random()}`;
    return logins.verify({ username, password }, address).then(
      (login) => (login ? 'in' : 'wrong'),
      (error: unknown) => (error instanceof Refusal ? 'later' : assert.fail(String(error))),
    );
  };
  const tries: string[] = [];
  for (let count = 0; count < 12; count++) tries.push(await wrong('ann', `203.0.113.${count}`));
  assert.deepEqual(tries, [...Array<string>(10).fill('wrong'), 'later', 'later']);
  assert.equal(await wrong('bo', '203.0.113.90'), 'wrong', 'another name');
  assert.ok(await logins.verify({ username: 'ann', password: phone.password }, '203.0.113.1'));
  clock.advance({ hours: 1 });
  assert.equal(await wrong('ann', '203.0.113.1'), 'wrong');
  let count = 0;
  while ((await wrong(`name${count}`, HOME)) === 'wrong') count += 1;
  assert.equal(count, 10, 'ten names of an address');
});

test('the database alone gives no password away, and a new key takes them all along', async () => {
  const { rows } = await database.pool.query(`SELECT sealed FROM app_passwords WHERE id = ${phone.id}`);
  assert.ok(!rows[0].sealed.toString('latin1').includes(phone.password.slice(0, 5)));
  const next = memberKeys('another key, long enough to be one of ours', MEMBER_KEY);
  const [newer, older] = next.all;
  const state = { version: 2, fingerprint: newer!.fingerprint, earlier: older!.fingerprint };
  assert.ok(next.follow(state));
  const credentials = { username: 'ann', token: md5(`${phone.password}x`), salt: 'x' };
  const open = (others: typeof keys) =>
    new AppLogins({ db: database.pool, keys: others, clock }).verify(credentials, HOME);
  assert.ok(await open(next), 'before it is sealed anew');
  assert.equal(await resealAppPasswords(database.pool, next), 0);
  const alone = memberKeys('another key, long enough to be one of ours');
  alone.follow({ ...state, earlier: undefined });
  assert.ok(await open(alone));
  assert.equal(await open(keys), undefined, 'the old key opens nothing any more');
  assert.equal(await resealAppPasswords(database.pool, memberKeys('a key that nobody ever used before')), 2);
  await resealAppPasswords(database.pool, alone);
});

test('an account has twenty of them at most, and one without a name none', async () => {
  const make = () => addAppPassword(database.pool, keys, { accountId: 8, app: 'x' });
  const made = await Promise.all(Array.from({ length: 25 }, make));
  assert.equal(made.filter(Boolean).length + 1, MAX_APP_PASSWORDS);
  assert.equal((await listAppPasswords(database.pool, 8)).length, MAX_APP_PASSWORDS);
  assert.equal(await addAppPassword(database.pool, keys, { accountId: 9, app: 'x' }), undefined);
});
