import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { Refusal } from '../../../lib/fault.ts';
import { memberKeys } from '../keys.ts';
import { mailedPasswordHashes } from '../mail/password-by-mail.ts';
import { offerPassword } from './login-secrets.ts';
import { PasswordLogins } from './password-logins.ts';
import { Passwords } from './passwords.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';

const keys = memberKeys('one key of at least thirty-two characters');
const HOME = '192.0.2.7';
const passwords = new Passwords({
  keys,
  hashing: { memoryCost: 1024, timeCost: 1 },
  workers: { queue: 200, waitMs: 20_000 },
});
let database: TestDatabase;
let clock: ManualClock;
let logins: PasswordLogins;

before(async () => {
  database = await testDatabase();
});
after(async () => {
  await passwords[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE accounts, usernames, known_networks CASCADE');
  const hash = await passwords.hash('right');
  await database.pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', $1)", [
    hash,
  ]);
  await database.pool.query("INSERT INTO usernames VALUES ('ann', 7)");
  clock = new ManualClock('2026-03-01T12:00:00Z');
  logins = new PasswordLogins({ pool: database.pool, keys, clock, passwords, waitMs: 60_000 });
});

const tryOn = (username: string, password: string, address = HOME): Promise<number | undefined | Refusal> =>
  logins.verify({ username, password, address }).then(
    (verified) => verified?.accountId,
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );

/** How many of these attempts were looked at before the first was refused. */
async function lookedAt(count: number, attempt: (n: number) => ReturnType<typeof tryOn>): Promise<number> {
  for (let n = 0; n < count; n++) {
    const outcome = await attempt(n);
    if (outcome instanceof Refusal) {
      assert.equal(outcome.status, 429);
      assert.ok(outcome.retryAfterSeconds >= 1);
      return n;
    }
  }
  return count;
}

const wrong = (username: string, address?: (n: number) => string) => (n: number) =>
  tryOn(username, `wrong${n}`, address?.(n) ?? HOME);
const elsewhere = (n: number): string => `198.51.${n}.1`;

test('the right password gives the account, in any spelling of the name; all else nothing', async () => {
  assert.equal(await tryOn('ann', 'right'), 7);
  assert.equal(await tryOn('ANN', 'right'), 7);
  for (const [name, password] of [
    ['ann', 'Right'],
    ['an_', 'right'],
    ['a%', 'right'],
    ['nobody', 'right'],
    ['ann', ''],
  ] as const)
    assert.equal(await tryOn(name, password), undefined, `${name} ${password}`);
});

test('strangers share ten failures an hour of a name, and of a name that nobody has as well', async () => {
  assert.equal(await lookedAt(20, wrong('ann', elsewhere)), 10);
  assert.equal(await lookedAt(20, wrong('nobody', elsewhere)), 10);
  assert.ok((await tryOn('ann', 'right', '203.0.113.1')) instanceof Refusal, 'also for a right one');
  clock.advance({ minutes: 7 });
  assert.equal(await tryOn('ann', 'right', '203.0.113.1'), 7);
});

test('strangers never use up what the owner has at home', async () => {
  assert.equal(await tryOn('ann', 'right'), 7);
  assert.equal(await lookedAt(20, wrong('ann', elsewhere)), 10);
  assert.equal(await tryOn('ann', 'right', '192.0.2.200'), 7, 'the same network');
  assert.equal(await lookedAt(20, wrong('ann')), 10, 'with failures of its own');
});

test('a network is forgotten after thirty days', async () => {
  assert.equal(await tryOn('ann', 'right'), 7);
  clock.advance({ hours: 24 * 31 });
  assert.equal(await lookedAt(20, wrong('ann', elsewhere)), 10);
  assert.ok((await tryOn('ann', 'right')) instanceof Refusal);
});

test('a refused guess tells nothing, not even when it would be right', async () => {
  assert.equal(await tryOn('ann', 'right'), 7);
  assert.equal(await lookedAt(20, wrong('ann')), 10);
  const [right, other] = [await tryOn('ann', 'right'), await tryOn('ann', 'other')];
  assert.ok(right instanceof Refusal && other instanceof Refusal);
  assert.equal(right.message, other.message);
});

test('an address may try ten names an hour, and fail thirty times', async () => {
  assert.equal(await lookedAt(20, (n) => tryOn(`name${n}`, 'guess', '203.0.113.1')), 10);
  const failures = await lookedAt(60, (n) => tryOn(`name${n % 9}`, `guess${n}`, '203.0.113.2'));
  assert.equal(failures, 30);
});

/** Accounts Guest0, Guest1 … with this password. */
async function guests(count: number, password: string): Promise<void> {
  const { pool } = database;
  await pool.query(
    `INSERT INTO accounts (id, username, password_hash) SELECT 100 + n, 'Guest' || n, $2 FROM generate_series(0, $1::int - 1) n`,
    [count, await passwords.hash(password)],
  );
  await pool.query(
    `INSERT INTO usernames SELECT 'guest' || n, 100 + n FROM generate_series(0, $1::int - 1) n`,
    [count],
  );
}

const concurrency = (count: number, attempt: (n: number) => ReturnType<typeof tryOn>) =>
  Promise.all(Array.from({ length: count }, (_, n) => attempt(n)));

test('right passwords of a whole class behind one address all come in, also at once', async () => {
  await guests(60, 'right');
  const outcomes = await concurrency(60, (n) => tryOn(`guest${n}`, 'right'));
  assert.deepEqual(
    outcomes,
    Array.from({ length: 60 }, (_, n) => 100 + n),
  );
});

const looked = (outcomes: readonly unknown[]): number =>
  outcomes.filter((outcome) => !(outcome instanceof Refusal)).length;

test('guesses that come at once are not more than one after the other', async () => {
  assert.equal(looked(await concurrency(60, (n) => tryOn(`name${n}`, 'guess', '203.0.113.1'))), 10);
  assert.equal(looked(await concurrency(60, (n) => tryOn('ann', `wrong${n}`, elsewhere(n)))), 10);
});

test('who signed in from a network before comes in, however often others there were wrong', async () => {
  await guests(1, 'theirs');
  assert.equal(await tryOn('ann', 'right'), 7);
  assert.equal(await lookedAt(60, (n) => tryOn(`name${n % 9}`, `guess${n}`)), 30);
  assert.equal(await tryOn('ann', 'right'), 7);
  assert.ok((await tryOn('guest0', 'theirs')) instanceof Refusal, 'who did not, waits');
  const [known, unknown] = [await tryOn('ann', 'wrong'), await tryOn('nobody', 'wrong')];
  assert.ok(known instanceof Refusal && unknown instanceof Refusal);
  assert.deepEqual(
    [known.message, known.retryAfterSeconds, known.holdMs],
    [unknown.message, unknown.retryAfterSeconds, unknown.holdMs],
    'a wrong one tells nothing of who is known',
  );
  for (let n = 0; n < 9; n++) assert.ok((await tryOn('ann', `wrong${n}`)) instanceof Refusal);
  assert.ok((await tryOn('ann', 'right')) instanceof Refusal, 'and nobody guesses on for ever');
});

test('an IPv6 subscriber is one address', async () => {
  assert.equal(await lookedAt(20, (n) => tryOn(`name${n}`, 'guess', `2001:db8:1:2::${n + 1}`)), 10);
});

test('a device that calls often with the right password is never refused, and is hashed for once', async () => {
  const started = performance.now();
  for (let n = 0; n < 200; n++) assert.equal(await tryOn('ann', 'right'), 7);
  const many = await Promise.all(Array.from({ length: 100 }, () => tryOn('ann', 'right', '203.0.113.9')));
  assert.ok(
    many.every((outcome) => outcome === 7),
    'also when all come at once',
  );
  assert.ok(performance.now() - started < 60_000);
});

test('a changed password ends what was known of the old one at once', async () => {
  assert.equal(await tryOn('ann', 'right'), 7);
  const hash = await passwords.hash('newer');
  await database.pool.query('UPDATE accounts SET password_hash = $1 WHERE id = 7', [hash]);
  assert.equal(await tryOn('ann', 'right'), undefined);
  assert.equal(await tryOn('ann', 'newer'), 7);
});

const offer = (password: string): Promise<void> =>
  offerPassword(database.pool, {
    id: 7,
    offered: mailedPasswordHashes(keys, 7, password)[0],
    until: clock.now().add({ hours: 24 }),
  });

test('a mailed password becomes the password when it is used; until then the old one works', async () => {
  await offer('MAILED234567');
  assert.equal(await tryOn('ann', 'right'), 7);
  assert.equal(await tryOn('ann', 'MAILED234567'), 7);
  assert.equal(await tryOn('ann', 'right'), undefined);
  assert.equal(await tryOn('ann', 'MAILED234567'), 7);
  const { rows } = await database.pool.query('SELECT reset_hash, reset_until FROM accounts WHERE id = 7');
  assert.deepEqual(rows[0], { reset_hash: null, reset_until: null });
});

test('a mailed password is good for a day', async () => {
  await offer('MAILED234567');
  clock.advance({ hours: 25 });
  assert.equal(await tryOn('ann', 'MAILED234567'), undefined);
  assert.equal(await tryOn('ann', 'right'), 7);
});

test('a closed account opens at the site alone, by its password or by a mailed one', async () => {
  await database.pool.query('UPDATE accounts SET closed_at = now() WHERE id = 7');
  await offer('MAILED234567');
  for (const password of ['right', 'MAILED234567']) assert.equal(await tryOn('ann', password), undefined);
  const atSite = await logins.verify({
    username: 'ann',
    password: 'MAILED234567',
    address: HOME,
    place: 'site',
  });
  assert.equal(atSite?.accountId, 7);
});

test('who signs in is kept by the present parameters from then on', async () => {
  await using stronger = new Passwords({ keys, hashing: { memoryCost: 2048, timeCost: 1 } });
  const raised = new PasswordLogins({ pool: database.pool, keys, clock, passwords: stronger });
  const sign = async (): Promise<number | undefined> =>
    (await raised.verify({ username: 'ann', password: 'right', address: HOME }))?.accountId;
  assert.equal(await sign(), 7);
  const { rows } = await database.pool.query('SELECT password_hash FROM accounts WHERE id = 7');
  assert.match(rows[0].password_hash, /m=2048,t=1/);
  assert.equal(await sign(), 7);
});

test('a guess that was refused because too many came at once is no failure', async () => {
  await using few = new Passwords({
    keys,
    hashing: { timeCost: 100 },
    workers: { concurrency: 1, queue: 0 },
  });
  const busy = new PasswordLogins({ pool: database.pool, keys, clock, passwords: few });
  const sign = (password: string) => busy.verify({ username: 'ann', password, address: HOME });
  const long = few.hash('occupies the only worker');
  for (let n = 0; n < 20; n++) await assert.rejects(sign(`guess${n}`), { status: 503 });
  await long;
  assert.equal(await sign('wrong'), undefined);
});
