import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AppLogins } from '../../src/core/accounts/app-passwords/app-logins.ts';
import { requireSameKey } from '../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { findListOwner } from '../../src/core/accounts/list-tokens.ts';
import { PasswordLogins } from '../../src/core/accounts/login/password-logins.ts';
import { Passwords } from '../../src/core/accounts/login/passwords.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { FAST_HASHING, MEMBER_KEY } from '../apps/account-app.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';
import { ManualClock } from '../time/manual-clock.ts';

const keys = memberKeys(MEMBER_KEY);
const OLD = { password: 'ferry-at-seven-4' };

let database: TestDatabase;
let passwords: Passwords;
before(async () => {
  database = await testDatabase();
  passwords = new Passwords({ keys, hashing: FAST_HASHING });
  await requireSameKey(database.pool, keys);
  await database.pool.query(
    `INSERT INTO accounts (id, username, password_hash, site_password_hash) VALUES (7, 'Ann', 'none', $1)`,
    [await passwords.hash(OLD.password)],
  );
  await database.pool.query("INSERT INTO usernames (username_key, account_id) VALUES ('ann', 7)");
});
after(async () => {
  await passwords?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const longwave = (args: string[], settings: NodeJS.ProcessEnv = {}): Ran =>
  runLongwave(args, { DATABASE_URL: database.url, MEMBER_KEY, ...settings });

/** The account that the site opens by a password, so many hours from now. */
async function open(password: string, hours = 0): Promise<number | undefined> {
  const clock = new ManualClock(Temporal.Now.instant().add({ hours }).toString());
  const logins = new PasswordLogins({ pool: database.pool, keys, clock, passwords });
  const credentials = { username: 'Ann', password, address: '127.0.0.1', place: 'site' } as const;
  return (await logins.verify(credentials))?.accountId;
}

test('an operator makes a password that opens the site in the place of the old one, for a day', async () => {
  const { stdout, stderr } = longwave(['account', 'password', 'ANN']);
  const [, password = ''] = /^([A-Z2-9]{12}) is a password for ANN, valid for 24 hours/.exec(stdout) ?? [];
  assert.equal(password.length, 12, stdout + stderr);
  assert.equal(await open(OLD.password), 7, 'until it is used the old one is good');
  assert.equal(await open(password, 25), undefined);
  assert.equal(await open(password), 7);
  assert.equal(await open(OLD.password), undefined);
});

test('an address of a list is shown once, works, and ends with all others when it is revoked', async () => {
  const { stdout, stderr } = longwave(['account', 'list', 'ann'], { PUBLIC_HOSTS: 'radio.example' });
  const [, token = ''] =
    /^http:\/\/radio\.example\/lists\/(lwl_[\w-]{32})\/presets\.m3u has the presets of ann/.exec(stdout) ??
    [];
  assert.equal((await findListOwner(database.pool, token))?.account_id, 7, stdout + stderr);
  assert.match(
    longwave(['account', 'list', 'ann'], { LISTS: 'off' }).stdout,
    /LISTS=off: nobody can read it/,
  );
  assert.match(
    longwave(['account', 'list', 'ann', '--revoke']).stdout,
    /^2 addresses of lists of ann were revoked/,
  );
  assert.equal(await findListOwner(database.pool, token), undefined);
});

test('an app gets a password that is shown once, is listed, and ends', async () => {
  const { stdout, stderr } = longwave(['account', 'app', 'ann', 'AntennaPod']);
  const [, password = '', id = ''] =
    /^((?:[a-z2-9]{5}-?){4}) is the password of ann for AntennaPod.* --end (\d+) ends it/.exec(stdout) ?? [];
  const opens = async (): Promise<number | undefined> => {
    const logins = new AppLogins({ db: database.pool, keys, clock: systemClock });
    return (await logins.verify({ username: 'ann', password }, '127.0.0.1'))?.accountId;
  };
  assert.equal(await opens(), 7, stdout + stderr);
  assert.match(longwave(['account', 'app', 'ann']).stdout, /^\d+ {2}AntennaPod, made .*, last used /);
  assert.match(longwave(['account', 'app', 'ann', '--end', id]).stdout, /has ended/);
  assert.equal(await opens(), undefined);
  assert.match(longwave(['account', 'app', 'ann', '--end', id]).stderr, /no app password/);
  assert.match(longwave(['account', 'app', 'ann']).stdout, /has no app passwords/);
});

test('what is missing or wrong is told', () => {
  assert.equal(longwave(['account', 'list']).status, 2);
  assert.equal(longwave(['account', 'password', 'ann', '--revoke']).status, 2);
  assert.match(longwave(['account', 'list', 'nobody1']).stderr, /there is no account nobody1/);
  assert.equal(longwave(['account', 'app']).status, 2);
  assert.equal(longwave(['account', 'app', 'ann', 'x'.repeat(61)]).status, 2);
  assert.equal(longwave(['account', 'password', 'ann', '--end', '1']).status, 2);
  assert.equal(longwave(['account']).status, 2);
  assert.equal(longwave(['account', 'password']).status, 2);
  assert.match(longwave(['account', 'password', 'nobody1']).stderr, /there is no account nobody1/);
  assert.match(longwave(['account', 'password', 'ann'], { MEMBER_KEY: '' }).stderr, /MEMBER_KEY is not set/);
});
